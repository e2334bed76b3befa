// The memory of the core in the browser. Nothing is freed: what an instance has used goes with it,
// which the page replaces in time. So no destructor does anything, and none is in the code.
#include <cstddef>
#include <cstdint>
#include <new>

extern "C" {

extern unsigned char __heap_base;  // where the linker's own data end

void* malloc(std::size_t bytes) {
    constexpr std::size_t alignment = 16;
    constexpr std::size_t page = 65536;
    static std::uintptr_t end = reinterpret_cast<std::uintptr_t>(&__heap_base);
    const std::uintptr_t begin = (end + alignment - 1) / alignment * alignment;
    end = begin + bytes;
    const std::size_t held = __builtin_wasm_memory_size(0) * page;
    if (end > held && __builtin_wasm_memory_grow(0, (end - held) / page + 16) == SIZE_MAX) {
        __builtin_trap();
    }
    return reinterpret_cast<void*>(begin);
}

void free(void*) {}

// What the run-time library takes exceptions from.
int posix_memalign(void** place, std::size_t, std::size_t bytes) {
    *place = malloc(bytes);
    return 0;
}
}

void* operator new(std::size_t bytes) { return malloc(bytes); }
void operator delete(void*) noexcept {}
void operator delete(void*, std::size_t) noexcept {}
