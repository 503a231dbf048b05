#!/usr/bin/env node
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

// The program runs on the Node that the lockfile pins, whatever started this file.
const root = dirname(dirname(fileURLToPath(import.meta.url)))
const pinned = join(root, 'node_modules', '.bin', process.platform === 'win32' ? 'node.cmd' : 'node')
const node = existsSync(pinned) ? pinned : process.execPath
const child = spawn(node, [join(root, 'src', 'cli', 'gateway.ts'), ...process.argv.slice(2)], {
  stdio: 'inherit',
  env: { ...process.env, GATEWAY_LAUNCHER: '1' },
})
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => child.kill(signal))
child.on('exit', (code, signal) => {
  process.exitCode = code ?? (signal === null ? 1 : 128)
})
