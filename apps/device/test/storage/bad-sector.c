// Reads of one file fail as on a bad sector: LD_PRELOAD, with the file's inode and the bytes from and to in BAD_SECTOR.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static int is_bad(int file, off64_t at, size_t length) {
  const char *text = getenv("BAD_SECTOR");
  struct stat found;
  long inode, from, to;
  if (text == NULL || sscanf(text, "%ld %ld %ld", &inode, &from, &to) != 3) return 0;
  if (fstat(file, &found) != 0 || (long)found.st_ino != inode) return 0;
  return at < to && at + (off64_t)length > from;
}

ssize_t pread64(int file, void *buffer, size_t length, off64_t at) {
  ssize_t (*next)(int, void *, size_t, off64_t) = dlsym(RTLD_NEXT, "pread64");
  if (!is_bad(file, at, length)) return next(file, buffer, length, at);
  errno = EIO;
  return -1;
}

ssize_t pread(int file, void *buffer, size_t length, off_t at) { return pread64(file, buffer, length, at); }

ssize_t read(int file, void *buffer, size_t length) {
  ssize_t (*next)(int, void *, size_t) = dlsym(RTLD_NEXT, "read");
  off64_t at = lseek64(file, 0, SEEK_CUR);
  if (at < 0 || !is_bad(file, at, length)) return next(file, buffer, length);
  errno = EIO;
  return -1;
}
