/* LD_PRELOAD shim: the next fsync or fdatasync after the file named by FAIL_FSYNC_ONCE appears fails with EIO and removes the file. Later ones
   succeed, as they do on Linux, which calls pages clean that it could not write. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

static int fails(void) {
  const char *flag = getenv("FAIL_FSYNC_ONCE");
  return flag != NULL && unlink(flag) == 0;
}

static int run(const char *name, int descriptor) {
  if (fails()) {
    errno = EIO;
    return -1;
  }
  int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
  return real(descriptor);
}

int fsync(int descriptor) { return run("fsync", descriptor); }
int fdatasync(int descriptor) { return run("fdatasync", descriptor); }
