#!/usr/bin/env node
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

// The program runs on the Node that the lockfile pins, whatever started this file; an install without the workspace toolchain/ has none and runs on the machine's.
const root = dirname(dirname(fileURLToPath(import.meta.url)))
const pinned = join(root, 'node_modules', '.bin', process.platform === 'win32' ? 'node.cmd' : 'node')
const hasPinned = existsSync(pinned)
if (!hasPinned && Number(process.versions.node.split('.')[0]) < 26) {
  process.stderr.write(`This install has no Node of its own, and this one is ${process.version}: start it with Node 26 or later.\n`)
  process.exit(1)
}
const node = hasPinned ? pinned : process.execPath
const child = spawn(node, [join(root, 'src', 'cli', 'gateway.ts'), ...process.argv.slice(2)], {
  stdio: 'inherit',
  env: { ...process.env, GATEWAY_LAUNCHER: '1' },
})
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => child.kill(signal))
child.on('exit', (code, signal) => {
  process.exitCode = code ?? (signal === null ? 1 : 128)
})
