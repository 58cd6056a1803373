/* Disks and clocks that fail on request: loaded before the C library, told by files in $FAULTS. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* The number in the file of that name; 0 where there is none. */
static long told(const char *name) {
  const char *directory = getenv("FAULTS");
  char path[512], text[32];
  if (!directory) return 0;
  snprintf(path, sizeof path, "%s/%s", directory, name);
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  ssize_t length = read(file, text, sizeof text - 1);
  close(file);
  text[length > 0 ? length : 0] = 0;
  return strtol(text, NULL, 10);
}

static int is_data(int file) {
  char link[64], path[512];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  return strstr(path, "/data.mdb") != NULL;
}

/* `meta`: with which errno the page fails that says which commit is the last one. */
static int refused(int file) {
  if (!(fcntl(file, F_GETFL) & O_DSYNC) || !is_data(file)) return 0;
  while (told("hang")) usleep(10000);
  long number = told("meta");
  if (number) errno = number;
  return number != 0;
}

ssize_t pwrite(int file, const void *bytes, size_t length, off_t at) {
  ssize_t (*real)(int, const void *, size_t, off_t) = dlsym(RTLD_NEXT, "pwrite");
  return refused(file) ? -1 : real(file, bytes, length, at);
}

ssize_t pwrite64(int file, const void *bytes, size_t length, off64_t at) {
  ssize_t (*real)(int, const void *, size_t, off64_t) = dlsym(RTLD_NEXT, "pwrite64");
  return refused(file) ? -1 : real(file, bytes, length, at);
}

/* `wall` and `steady`: by how many seconds the clock of the day, and the other, are off. */
int clock_gettime(clockid_t clock, struct timespec *time) {
  int (*real)(clockid_t, struct timespec *) = dlsym(RTLD_NEXT, "clock_gettime");
  int result = real(clock, time);
  if (result) return result;
  if (clock == CLOCK_REALTIME) time->tv_sec += told("wall");
  else if (clock == CLOCK_MONOTONIC) time->tv_sec += told("steady");
  return result;
}
