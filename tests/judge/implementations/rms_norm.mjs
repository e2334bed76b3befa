// RMSNorm in JavaScript, right or with the mistake that the environment names.
const mistake = process.env.MISTAKE;

export function rmsNorm(x, gain, epsilon, gainOffset, rows, width) {
  const round = x instanceof Float32Array ? Math.fround : (value) => value;
  const y = new x.constructor(x.length);
  for (let k = 0; k < rows; ++k) {
    let row = x.subarray(k * width, (k + 1) * width);
    if (mistake === "mean-subtracted") {
      const mean = row.reduce((sum, value) => sum + value, 0) / width;
      row = row.map((value) => value - mean);
    }
    let squares = 0;
    for (const value of row) squares = round(squares + round(value * value));
    const divisor = { "sum-for-mean": 1, "divisor-n-minus-1": width - 1 }[mistake] ?? width;
    const mean = round(squares / divisor);
    const scale = {
      "epsilon-outside": 1 / (Math.sqrt(mean) + epsilon),
      "epsilon-missing": 1 / Math.sqrt(mean),
      "root-missing": 1 / (mean + epsilon),
      sign: -1 / Math.sqrt(mean + epsilon),
    }[mistake] ?? 1 / Math.sqrt(mean + epsilon);
    for (let i = 0; i < width; ++i) {
      const factor = mistake === "gain-missing" ? 1 : gainOffset + gain[i];
      y[k * width + i] = round(row[i] * round(scale)) * factor;
    }
  }
  return y;
}
