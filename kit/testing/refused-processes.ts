/** Makes the system refuse to start any engine process until the end of the scope. An environment
 *  variable of these processes is longer than any system permits (E2BIG). Node throws this error at
 *  once, as it does when memory is short. */
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
