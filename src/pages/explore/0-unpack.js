// LZMA, as I. Pavlov's "LZMA specification" describes it: bytes of a file with one position state and three
// bits of literal context (lc=3, lp=0, pb=0), as the build packs the core, up to the mark of its end.
function unpack(packed) {
  const bytes = [];
  let at = 18; // behind the header of thirteen bytes and the first five of the code
  // Range and code; in an array, because a number of 32 bits is an object elsewhere.
  const now = Uint32Array.of(0xffffffff, new DataView(packed.buffer, packed.byteOffset).getUint32(14));

  // How probable a zero is, of 2048, for each of so many bits.
  const chances = (count) => new Uint16Array(count).fill(1024);

  function narrow() {
    if (now[0] >= 0x1000000) return;
    if (at === packed.length) throw new RangeError("it ends too early");
    now[0] <<= 8;
    now[1] = (now[1] << 8) | packed[at++];
  }

  function bit(table, index) {
    const chance = table[index];
    const bound = (now[0] >>> 11) * chance;
    const one = now[1] >= bound;
    if (one) {
      now[0] -= bound;
      now[1] -= bound;
      table[index] = chance - (chance >> 5);
    } else {
      now[0] = bound;
      table[index] = chance + ((2048 - chance) >> 5);
    }
    narrow();
    return one ? 1 : 0;
  }

  // Bits that are as probable as not, the highest first.
  function even(count) {
    let value = 0;
    for (let i = 0; i < count; ++i) {
      now[0] >>>= 1;
      const one = now[1] >= now[0];
      if (one) now[1] -= now[0];
      value = 2 * value + (one ? 1 : 0);
      narrow();
    }
    return value;
  }

  // A number whose bits stand along a path of a tree, the highest first or the lowest.
  function highestFirst(table, count) {
    let node = 1;
    for (let i = 0; i < count; ++i) node = 2 * node + bit(table, node);
    return node - 2 ** count;
  }

  function lowestFirst(table, count, first = 0) {
    let node = 1;
    let value = 0;
    for (let i = 0; i < count; ++i) {
      const one = bit(table, first + node);
      node = 2 * node + one;
      value |= one << i;
    }
    return value;
  }

  const lengths = () => ({ choice: chances(2), low: chances(8), middle: chances(8), high: chances(256) });
  function lengthOf({ choice, low, middle, high }) {
    if (!bit(choice, 0)) return highestFirst(low, 3);
    return bit(choice, 1) ? 16 + highestFirst(high, 8) : 8 + highestFirst(middle, 3);
  }

  const slots = [chances(64), chances(64), chances(64), chances(64)];
  const near = chances(128);
  const aligned = chances(16);
  function distanceOf(length) {
    const slot = highestFirst(slots[Math.min(length, 3)], 6);
    if (slot < 4) return slot;
    const count = (slot >> 1) - 1;
    const base = (2 + (slot & 1)) * 2 ** count;
    if (slot < 14) return base + lowestFirst(near, count, base - slot);
    return base + 16 * even(count - 4) + lowestFirst(aligned, 4);
  }

  // Behind a match, the byte that it would have gone on with says what to expect.
  const literals = chances(0x300 * 8);
  function literal(expected) {
    const first = 0x300 * (bytes[bytes.length - 1] >> 5);
    let node = 1;
    for (let place = 7; expected !== undefined && place >= 0; --place) {
      const likely = (expected >> place) & 1;
      const one = bit(literals, first + 0x100 * (1 + likely) + node);
      node = 2 * node + one;
      if (one !== likely) break;
    }
    while (node < 0x100) node = 2 * node + bit(literals, first + node);
    return node - 0x100;
  }

  const [isMatch, isRepeat, isOlder, isLong, isThird, isFourth] = Array.from({ length: 6 }, () => chances(12));
  const [matchLengths, repeatLengths] = [lengths(), lengths()];
  const last = [1, 1, 1, 1]; // the last four distances
  let state = 0; // which of the last steps were literals; from 7 on, the last one was none
  for (;;) {
    if (!bit(isMatch, state)) {
      bytes.push(literal(state < 7 ? undefined : bytes[bytes.length - last[0]]));
      state = state < 4 ? 0 : state - (state < 10 ? 3 : 6);
      continue;
    }
    const behindLiteral = state < 7;
    let length;
    if (bit(isRepeat, state)) {
      if (bit(isOlder, state)) {
        const which = bit(isThird, state) ? 2 + bit(isFourth, state) : 1;
        last.unshift(...last.splice(which, 1));
      } else if (!bit(isLong, state)) {
        bytes.push(bytes[bytes.length - last[0]]);
        state = behindLiteral ? 9 : 11;
        continue;
      }
      length = lengthOf(repeatLengths);
      state = behindLiteral ? 8 : 11;
    } else {
      length = lengthOf(matchLengths);
      const distance = distanceOf(length);
      if (distance === 0xffffffff) break;
      last.pop();
      last.unshift(distance + 1);
      state = behindLiteral ? 7 : 10;
    }
    for (let i = -2; i < length; ++i) bytes.push(bytes[bytes.length - last[0]]);
  }
  if (now[1] !== 0) throw new RangeError("it is damaged");
  return Uint8Array.from(bytes);
}
