/** Limits that the kernel enforces for a process and each of its children. Windows enforces none of
 *  them. */
export interface ProcessLimits {
  /** Largest regular file in bytes that the process may write; pipes are not counted. A larger
   *  write ends the process with SIGXFSZ. */
  fileBytes: number
  /** Limit of CPU seconds. After them a SIGXCPU ends the process, and two seconds later a SIGKILL.
   *  No limit when absent. */
  cpuSeconds?: number | undefined
  /** Limit of address space in bytes; beyond it allocations fail. No limit when absent. macOS does
   *  not enforce it. */
  memoryBytes?: number | undefined
  /** Limit of private writable memory in bytes; beyond it allocations fail. No limit when absent.
   *  Only Linux enforces it. */
  dataBytes?: number | undefined
}

const blockBytes = 512
const secondsAfterCpuLimit = 2

/** Returns lines of a POSIX shell that set the limits for the shell and its children. A hard limit
 *  that is already lower stays. */
export function limitScript({ fileBytes, cpuSeconds, memoryBytes, dataBytes }: ProcessLimits): string {
  const lines = ['ulimit -c 0', `ulimit -f ${Math.ceil(fileBytes / blockBytes)}`]
  if (cpuSeconds !== undefined) {
    const seconds = Math.ceil(cpuSeconds)
    // At the soft limit the kernel sends SIGXCPU, so that the exit shows why the process ended. At
    // the hard limit it sends SIGKILL, which also ends a process that ignores the first signal.
    lines.push(`ulimit -S -t ${seconds}`, `ulimit -H -t ${seconds + secondsAfterCpuLimit}`)
  }
  if (memoryBytes !== undefined) lines.push(`ulimit -v ${Math.ceil(memoryBytes / 1024)}`)
  if (dataBytes !== undefined) lines.push(`ulimit -d ${Math.ceil(dataBytes / 1024)}`)
  return lines.map(line => `${line} 2>/dev/null\n`).join('')
}
