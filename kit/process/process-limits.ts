/** What the kernel holds a process, and each one that it starts, to. On Windows none of them holds. */
export interface ProcessLimits {
  /** Bytes of any one regular file that it writes; pipes are not counted. Above it a SIGXFSZ ends the process. */
  fileBytes: number
  /** Seconds of CPU time. After them a SIGXCPU ends the process, and two seconds later a SIGKILL. No limit when absent. */
  cpuSeconds?: number | undefined
  /** Bytes of address space; with more its allocations fail. No limit when absent. macOS has none. */
  memoryBytes?: number | undefined
  /** Bytes of private writable memory; with more its allocations fail. No limit when absent. Linux alone has one. */
  dataBytes?: number | undefined
}

const blockBytes = 512
const secondsAfterCpuLimit = 2

/** Lines of a POSIX shell that set the limits for itself and for what it runs. A limit that is lower already stays. */
export function limitScript({ fileBytes, cpuSeconds, memoryBytes, dataBytes }: ProcessLimits): string {
  const lines = ['ulimit -c 0', `ulimit -f ${Math.ceil(fileBytes / blockBytes)}`]
  if (cpuSeconds !== undefined) {
    const seconds = Math.ceil(cpuSeconds)
    // Two limits: the first one says why it ended, the second one holds a process that does not listen.
    lines.push(`ulimit -S -t ${seconds}`, `ulimit -H -t ${seconds + secondsAfterCpuLimit}`)
  }
  if (memoryBytes !== undefined) lines.push(`ulimit -v ${Math.ceil(memoryBytes / 1024)}`)
  if (dataBytes !== undefined) lines.push(`ulimit -d ${Math.ceil(dataBytes / 1024)}`)
  return lines.map(line => `${line} 2>/dev/null\n`).join('')
}
