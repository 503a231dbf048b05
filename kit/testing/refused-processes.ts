/** Makes the system refuse every engine process with E2BIG until the end of the scope: one
 *  variable of their environment is longer than any system permits. Like a lack of memory, this
 *  error is one that Node throws at once. */
export function refusedProcesses(): Disposable {
  const { LANG } = process.env
  process.env.LANG = 'x'.repeat(2 ** 22)
  return {
    [Symbol.dispose]: () => {
      if (LANG === undefined) delete process.env.LANG
      else process.env.LANG = LANG
    },
  }
}
