/** Virtual environments with Python clients. The requirements files in the parent folder fix the
 *  versions of the packages, and scripts/python-clients.ts creates the environments. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isOffline } from '@generation-gateway/kit/packs.ts'
import { clientsFolder } from '../../testing/clients-folder.ts'

/** The environments and their requirements files. Packages that need different versions of the
 *  same library are in different environments: LiteLLM and instructor need an older `openai`,
 *  mureka-mcp an older `requests`. `generator` contains the generator of clients and what the
 *  generated clients need, and `frameworks` the frameworks and the clients of other providers. */
export const environments = {
  newest: new URL('../requirements.txt', import.meta.url),
  litellm: new URL('../requirements-litellm.txt', import.meta.url),
  vendors: new URL('../requirements-vendors.txt', import.meta.url),
  speech: new URL('../requirements-speech.txt', import.meta.url),
  retrieval: new URL('../requirements-retrieval.txt', import.meta.url),
  generator: new URL('../requirements-generator.txt', import.meta.url),
  frameworks: new URL('../requirements-frameworks.txt', import.meta.url),
} as const

/** Packages that are published only as source code. They are installed after the other packages
 *  of their environment. */
export const sourcePackages: Partial<Record<EnvironmentName, URL>> = {
  vendors: new URL('../requirements-vendors-source.txt', import.meta.url),
}

/** The program that installs the packages. */
export const installer = new URL('../requirements-installer.txt', import.meta.url)

export type EnvironmentName = keyof typeof environments

/** The oldest Python that the requirements files support. */
const oldest = '3.11'

/** Version of Python on this machine, such as `3.11`. Undefined when there is no Python, when it
 *  is too old, or when it lacks venv or pip. */
export const pythonVersion: string | undefined = findVersion()

/** The reason for a skip on a machine without `pythonVersion`. */
export const needsPython = `needs python3 ${oldest} or later with venv and pip`

export function environmentFolder(name: EnvironmentName): string {
  return clientsFolder(`python-${pythonVersion}`, environments[name], sourcePackages[name])
}

/** Returns the folder with the programs that the packages of the environment install: `python`,
 *  `litellm` and others. */
export function programsFolder(name: EnvironmentName): string {
  return join(environmentFolder(name), 'bin')
}

/** Options of a test that runs a Python client. The test is skipped, with the reason, on a
 *  machine without a suitable Python, and when GATEWAY_OFFLINE=1 forbids downloads. Otherwise a
 *  missing environment makes the test fail with the command that creates it. */
export function needEnvironment(name: EnvironmentName): { skip?: string } {
  if (pythonVersion === undefined) return { skip: needsPython }
  if (existsSync(environmentFolder(name)) || !isOffline(process.env)) return {}
  return { skip: `needs Python packages (node scripts/python-clients.ts), and GATEWAY_OFFLINE=1 is set` }
}

function findVersion(): string | undefined {
  const requested = 'import sys, venv, pip; print("%d.%d" % sys.version_info[:2])'
  const { status, stdout } = spawnSync('python3', ['-c', requested], { encoding: 'utf8' })
  const [major = 0, minor = 0] = status === 0 ? stdout.trim().split('.').map(Number) : []
  const [oldestMajor = 0, oldestMinor = 0] = oldest.split('.').map(Number)
  return major === oldestMajor && minor >= oldestMinor ? `${major}.${minor}` : undefined
}
