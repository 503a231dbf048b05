/** Command line clients of other makers. The lockfile in packages/ fixes their versions, and
 *  scripts/client-tools.ts installs them. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isOffline } from '@generation-gateway/kit/packs.ts'
import { clientsFolder } from '../../testing/clients-folder.ts'

export const lockfile = new URL('../packages/package-lock.json', import.meta.url)
export const manifest = new URL('../packages/package.json', import.meta.url)

/** The file that names the package of Claude Code, its version and its hash. */
export const claudeCodePackage = new URL('../packages/claude-code.json', import.meta.url)

interface ClientTool {
  /** Path of the program below the folder of the tool. The test runs this file directly: the
   *  start scripts of the packages only search for it, and one of them needs a link that an
   *  install script would create. */
  file: string
  /** Returns the folder of a tool that has its own script for the installation. When absent, the
   *  tool is installed from the lockfile, into the folder of `toolsFolder`. */
  folder?: () => string
  /** The script that installs the tool, for a tool that scripts/client-tools.ts does not install. A
   *  test of such a tool is skipped when the tool is missing. */
  installer?: string
  /** True when the file is a script for Node.js; otherwise it is a binary for Linux x64. */
  isScript?: true
}

const tools = {
  codex: { file: 'node_modules/@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex' },
  'gemini-cli': { file: 'node_modules/@google/gemini-cli/bundle/gemini.js', isScript: true },
  opencode: { file: 'node_modules/opencode-linux-x64-baseline/bin/opencode' },
  claude: { file: 'package/claude', folder: claudeCodeFolder, installer: 'scripts/claude-code.ts' },
  qwen: { file: 'node_modules/@qwen-code/qwen-code/cli.js', isScript: true },
  aicommits: { file: 'node_modules/aicommits/dist/cli.mjs', isScript: true },
  // TanStack AI is a library without a program. use-tanstack.js imports it from this folder.
  tanstack: { file: 'node_modules/@tanstack/ai/dist/esm/index.js', isScript: true },
  pi: { file: 'node_modules/@earendil-works/pi-coding-agent/dist/bundle/cli.js', isScript: true },
} satisfies Record<string, ClientTool>

export type ToolName = keyof typeof tools

/** Returns the program and the first arguments of a command line that runs the tool. */
export function commandOf(name: ToolName): [command: string, ...args: string[]] {
  const { file, folder = toolsFolder, isScript }: ClientTool = tools[name]
  const path = join(folder(), file)
  return isScript ? [process.execPath, path] : [path]
}

export function claudeCodeFolder(): string {
  return clientsFolder('claude-code', claudeCodePackage)
}

/** Returns true when the tool is installed. */
export function isInstalled(name: ToolName): boolean {
  const { folder = toolsFolder }: ClientTool = tools[name]
  return existsSync(folder())
}

export function toolsFolder(): string {
  return clientsFolder('cli', lockfile)
}

/** Options of a test that runs the tool. The test is skipped, with the reason, on systems for
 *  which the tool has no build; and when the tool is missing, if it has an `installer` or
 *  GATEWAY_OFFLINE=1 forbids the installation. Otherwise a missing tool makes the test fail with
 *  the command that installs it. */
export function needTool(name: ToolName): { skip?: string } {
  const { isScript, installer }: ClientTool = tools[name]
  const place = `${process.platform} ${process.arch}`
  if (!isScript && place !== 'linux x64') return { skip: `there is no build of ${name} for ${place} in the lockfile` }
  if (installer) return isInstalled(name) ? {} : { skip: `needs ${name}: \`node ${installer}\` installs it` }
  if (existsSync(toolsFolder()) || !isOffline(process.env)) return {}
  return { skip: `needs ${name} (node scripts/client-tools.ts), and GATEWAY_OFFLINE=1 is set` }
}
