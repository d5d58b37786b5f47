// Hashes of a text, in C against the canonical ABI: a text comes as pointer and length in memory that cabi_realloc gave,
// and a result is a pointer to such a pair. An instance lives for one call, so nothing is ever freed.

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  const char *bytes;
  size_t size;
} text_t;

__attribute__((export_name("cabi_realloc"))) void *cabi_realloc(void *old, size_t old_size, size_t align,
                                                                size_t size) {
  if (size == 0) return (void *)align;
  void *block = realloc(old_size == 0 ? NULL : old, size);
  if (block == NULL) abort();
  return block;
}

static text_t *hexadecimal(const uint8_t *bytes, size_t size) {
  static char digits[64];
  static text_t result;
  for (size_t i = 0; i < size; i++) {
    digits[2 * i] = "0123456789abcdef"[bytes[i] >> 4];
    digits[2 * i + 1] = "0123456789abcdef"[bytes[i] & 15];
  }
  result = (text_t){digits, 2 * size};
  return &result;
}

static void store32(uint8_t *to, uint32_t value) {
  for (int i = 0; i < 4; i++) to[i] = (uint8_t)(value >> (24 - 8 * i));
}

static uint32_t load32(const uint8_t *from) {
  return (uint32_t)from[0] << 24 | (uint32_t)from[1] << 16 | (uint32_t)from[2] << 8 | from[3];
}

static uint32_t rotate(uint32_t value, int by) { return value >> by | value << (32 - by); }

// The constants of FIPS 180-4 are the fractional parts of roots of the first primes: cube roots for the rounds, square
// roots for the state. They are computed here in integers, which is short and leaves no table to mistype.
static uint32_t fraction_of_root(uint32_t prime, int degree) {
  // Largest r with r^degree <= prime * 2^(32 * degree), digit by digit; its low 32 bits are the fraction.
  uint64_t root = 0;
  for (int bit = 35; bit >= 0; bit--) {
    uint64_t attempt = root | (uint64_t)1 << bit;
    unsigned __int128 square = (unsigned __int128)attempt * attempt;
    if (degree == 2) {
      if (square <= (unsigned __int128)prime << 64) root = attempt;
    } else {
      // attempt^3 <= prime * 2^96, without more than 128 bits: divide both sides by 2^32 first, rounding down the left.
      unsigned __int128 low = (square & 0xffffffff) * attempt;
      unsigned __int128 cube = (square >> 32) * attempt + (low >> 32);
      if (cube < (unsigned __int128)prime << 64) root = attempt;
    }
  }
  return (uint32_t)root;
}

static void first_primes(uint32_t *primes, int count) {
  int found = 0;
  for (uint32_t n = 2; found < count; n++) {
    int i = 0;
    while (i < found && n % primes[i] != 0) i++;
    if (i == found) primes[found++] = n;
  }
}

static uint32_t rounds[64];

static void digest_block(uint32_t state[8], const uint8_t *block) {
  uint32_t w[64];
  for (int i = 0; i < 16; i++) w[i] = load32(block + 4 * i);
  for (int i = 16; i < 64; i++) {
    uint32_t s0 = rotate(w[i - 15], 7) ^ rotate(w[i - 15], 18) ^ w[i - 15] >> 3;
    uint32_t s1 = rotate(w[i - 2], 17) ^ rotate(w[i - 2], 19) ^ w[i - 2] >> 10;
    w[i] = w[i - 16] + s0 + w[i - 7] + s1;
  }
  uint32_t v[8];
  memcpy(v, state, sizeof v);
  for (int i = 0; i < 64; i++) {
    uint32_t s1 = rotate(v[4], 6) ^ rotate(v[4], 11) ^ rotate(v[4], 25);
    uint32_t one = v[7] + s1 + ((v[4] & v[5]) ^ (~v[4] & v[6])) + rounds[i] + w[i];
    uint32_t s0 = rotate(v[0], 2) ^ rotate(v[0], 13) ^ rotate(v[0], 22);
    uint32_t two = s0 + ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
    memmove(v + 1, v, 7 * sizeof *v);
    v[4] += one;
    v[0] = one + two;
  }
  for (int i = 0; i < 8; i++) state[i] += v[i];
}

__attribute__((export_name("sha256"))) text_t *sha256(const uint8_t *bytes, size_t size) {
  uint32_t primes[64], state[8];
  first_primes(primes, 64);
  for (int i = 0; i < 64; i++) rounds[i] = fraction_of_root(primes[i], 3);
  for (int i = 0; i < 8; i++) state[i] = fraction_of_root(primes[i], 2);
  size_t at = 0;
  for (; size - at >= 64; at += 64) digest_block(state, bytes + at);
  uint8_t tail[128] = {0};
  size_t rest = size - at, end = rest < 56 ? 64 : 128;
  memcpy(tail, bytes + at, rest);
  tail[rest] = 0x80;
  store32(tail + end - 8, (uint32_t)((uint64_t)size >> 29));
  store32(tail + end - 4, (uint32_t)(size << 3));
  for (size_t i = 0; i < end; i += 64) digest_block(state, tail + i);
  uint8_t digest[32];
  for (int i = 0; i < 8; i++) store32(digest + 4 * i, state[i]);
  return hexadecimal(digest, 32);
}

__attribute__((export_name("crc32"))) text_t *crc32(const uint8_t *bytes, size_t size) {
  uint32_t crc = 0xffffffff;
  for (size_t i = 0; i < size; i++) {
    crc ^= bytes[i];
    for (int bit = 0; bit < 8; bit++) crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
  }
  uint8_t digest[4];
  store32(digest, ~crc);
  return hexadecimal(digest, 4);
}
