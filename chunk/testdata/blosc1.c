/* The genuine Blosc1 for the tests: decompresses one chunk, or makes one.

   blosc1 d IN OUT
   blosc1 c CODEC LEVEL SHUFFLE TYPESIZE BLOCKSIZE IN OUT */

#include <blosc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *read_file(const char *name, size_t *size) {
  FILE *f = fopen(name, "rb");
  if (f == NULL) {
    perror(name);
    exit(1);
  }
  fseek(f, 0, SEEK_END);
  *size = (size_t)ftell(f);
  rewind(f);
  char *bytes = malloc(*size + 1);
  if (fread(bytes, 1, *size, f) != *size) {
    perror(name);
    exit(1);
  }
  fclose(f);
  return bytes;
}

static void write_file(const char *name, const char *bytes, size_t size) {
  FILE *f = fopen(name, "wb");
  if (f == NULL || fwrite(bytes, 1, size, f) != size || fclose(f) != 0) {
    perror(name);
    exit(1);
  }
}

int main(int argc, char **argv) {
  size_t size;
  blosc_init();
  if (argc == 4 && strcmp(argv[1], "d") == 0) {
    char *in = read_file(argv[2], &size);
    size_t nbytes;
    if (blosc_cbuffer_validate(in, size, &nbytes) < 0) {
      fprintf(stderr, "blosc_cbuffer_validate refuses the chunk\n");
      return 1;
    }
    char *out = malloc(nbytes + 1);
    int n = blosc_decompress(in, out, nbytes);
    if (n < 0 || (size_t)n != nbytes) {
      fprintf(stderr, "blosc_decompress returned %d of %zu\n", n, nbytes);
      return 1;
    }
    write_file(argv[3], out, nbytes);
    return 0;
  }
  if (argc == 9 && strcmp(argv[1], "c") == 0) {
    char *in = read_file(argv[7], &size);
    char *out = malloc(size + BLOSC_MAX_OVERHEAD);
    if (blosc_set_compressor(argv[2]) < 0) {
      fprintf(stderr, "no codec %s\n", argv[2]);
      return 1;
    }
    blosc_set_blocksize((size_t)atol(argv[6]));
    int n = blosc_compress(atoi(argv[3]), atoi(argv[4]), (size_t)atol(argv[5]), size, in, out, size + BLOSC_MAX_OVERHEAD);
    if (n <= 0) {
      fprintf(stderr, "blosc_compress returned %d\n", n);
      return 1;
    }
    write_file(argv[8], out, (size_t)n);
    return 0;
  }
  return 2;
}
