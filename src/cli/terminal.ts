import type { FirstStart } from '../config/first-start.ts'

/** Prints a line for the user on stdout. In the command `serve`, stdout contains JSON log lines
 *  instead. */
export function print(text: string): void {
  if (!process.stdout.listeners('error').includes(onOutputError)) process.stdout.on('error', onOutputError)
  process.stdout.write(`${text}\n`)
}

/** When the program that reads the output has ended (as `head` does after some lines), the command
 *  continues, because it may be in the middle of its work. When the output cannot be written for
 *  another reason, such as a full disk, this program ends with exit code 1. */
function onOutputError(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') return
  printError(`The output cannot be written: ${error.message}`)
  process.exit(1)
}

export function printError(text: string): void {
  process.stderr.write(`${text}\n`)
}

const lingerMs = 1_000

/** Ends the program a second after its work is done, in case something that a driver left open
 *  keeps it running. Everything important has been stored by then. */
export function exitSoon(): void {
  setTimeout(() => process.exit(), lingerMs).unref()
}

/** Prints the access key that a first start has created. It goes to the terminal and not into a
 *  log, because the key is shown only this once. */
export function printFirstKey({ madeKey }: FirstStart): void {
  if (madeKey) printError(`First start. Access key of the default account: ${madeKey.secret}\nIt is also in ${madeKey.file}`)
}

/** Prints the address on which the gateway listens; `processes` is the number of processes that
 *  serve it. */
export function printListening(url: string, processes = 1): void {
  printError(`Listening on ${url}${processes === 1 ? '' : `, ${processes} processes`}  (reference: ${url}/docs)`)
}

/** Prints why a configuration file was refused. */
export function printRefused(error: unknown): void {
  printError(`The configuration file was not taken, the old one stays in force: ${error instanceof Error ? error.message : error}`)
}

/** Formats rows as an aligned table; `head` names the columns. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) => Math.max(width(title), ...rows.map(row => width(row[column] ?? ''))))
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - width(cell)))
      .join('  ')
      .trimEnd()
  return [line(head), line(widths.map(count => '-'.repeat(count))), ...rows.map(line)].join('\n')
}

/** Returns the number of terminal columns that a text needs: wide (CJK) characters need two. */
function width(text: string): number {
  let columns = 0
  for (const character of text)
    columns += /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/.test(character) ? 2 : 1
  return columns
}
