/** Creates docs/reference/clients.md, the list of the clients that tests run, from declarations
 *  in the tests. A declaration is a comment in a file of src/clients:
 *
 *  Client: NAME (PACKAGE, ...): OPERATION, ... .
 *
 *  A package is `npm NAME`, `cli NAME` (src/clients/cli/packages), `pypi NAME` (the requirements
 *  files of src/clients/python), or other words, which are shown as they stand. An operation is
 *  an id of the OpenAPI document. A name counts once, even when clients of this name in several
 *  languages or versions are run. */
import { globSync, readFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import type { Family } from '../src/contract/family.ts'

interface Client {
  name: string
  packages: string[]
  operations: string[]
  /** Paths of the files with the declarations. */
  files: string[]
}

const folder = 'src/clients'

/** Returns the page. Throws for a declaration with an unknown package or operation, or in a file
 *  that no test runs. */
export function clientsPage(families: readonly Family[]): string {
  const familyOf = new Map(
    families.flatMap(({ id, operations }) => Object.values(operations).map(({ operationId }): [string, string] => [operationId, id])),
  )
  const clients = readClients()
  for (const { files, operations } of clients)
    for (const operation of operations)
      if (!familyOf.has(operation)) throw new Error(`${files.join(', ')}: there is no operation ${operation} for a client to use`)
  const rows = clients.map(client => {
    const used = client.operations.map(operation => `\`${operation}\``)
    return `| ${client.name} | ${client.packages.map(packageText).join(', ')} | ${used.join(', ')} | ${client.files.map(testLink).join(', ')} |`
  })
  return [
    '# Clients that tests run',
    '',
    `${clients.length} clients run unchanged against a gateway: a test gives each a base URL and a key, and nothing else. A client in several languages and versions counts once. How to set them up: [clients.md](../clients.md).`,
    '',
    '| client | versions | operations | tests |',
    '|---|---|---|---|',
    ...rows,
    '',
  ].join('\n')
}

function readClients(): Client[] {
  const clients = new Map<string, Client>()
  const add = (list: string[], values: readonly string[]) => list.push(...values.filter(value => !list.includes(value)))
  for (const file of globSync(`${folder}/**/*.{ts,js,py}`).sort()) {
    for (const { name, packages, operations } of declarationsIn(readFileSync(file, 'utf8'))) {
      const client = clients.get(name.toLowerCase()) ?? { name, packages: [], operations: [], files: [] }
      clients.set(name.toLowerCase(), client)
      add(client.packages, packages)
      add(client.operations, operations)
      add(client.files, [file])
    }
  }
  return [...clients.values()].sort((one, other) => one.name.localeCompare(other.name, 'en'))
}

function declarationsIn(text: string): Pick<Client, 'name' | 'packages' | 'operations'>[] {
  const comments = text.match(/(?:^(?:\/\/|#) .*\n)+/gm) ?? []
  const declared = comments.flatMap(comment => [
    ...comment
      .replace(/^(?:\/\/|#) /gm, '')
      .replaceAll('\n', ' ')
      .matchAll(/Client: ([^:()]+) \(([^()]+)\): ([\w, ]+)\./g),
  ])
  return declared.map(([, name = '', packages = '', operations = '']) => ({
    name,
    packages: packages.split(', '),
    operations: operations.split(', '),
  }))
}

function packageText(words: string): string {
  const [kind, name = ''] = words.split(' ')
  if (kind === 'npm') return `${name} ${npmVersion('package-lock.json', name)} (npm)`
  if (kind === 'cli') {
    const version = npmVersion(`${folder}/cli/packages/package-lock.json`, name)
    return `${withoutPlatform(name)} ${withoutPlatform(version)} (npm)`
  }
  return kind === 'pypi' ? `${name} ${pythonVersions(name)} (PyPI)` : words
}

function npmVersion(lockfile: string, name: string): string {
  const { packages } = JSON.parse(readFileSync(lockfile, 'utf8'))
  const { version } = Object(packages[`node_modules/${name}`])
  if (typeof version !== 'string') throw new Error(`${lockfile} has no ${name}, which a client in ${folder} is said to be`)
  return version
}

/** Removes the platform (`-linux-x64`), which some packages have in their names or versions. */
function withoutPlatform(text: string): string {
  return text.replace(/-linux-.*/, '')
}

function pythonVersions(name: string): string {
  const texts = globSync(`${folder}/python/requirements*.txt`).map(file => readFileSync(file, 'utf8'))
  const versions = texts.flatMap(text => [...text.matchAll(/^([\w.-]+)(?:\[[\w,-]+\])?(?:==([\w.]+)| @ \S*?-([\d.]+)\.tar\.gz)/gm)])
  const found = new Set(versions.filter(([, each]) => each === name).map(([, , version, other]) => version ?? other))
  if (found.size === 0) throw new Error(`no requirements file in ${folder}/python has ${name}, which a client is said to be`)
  return [...found].sort().join(' and ')
}

/** Returns a link to the file of a declaration. Throws for a script that no test beside it
 *  names. */
function testLink(file: string): string {
  const isRun = (test: string) => readFileSync(test, 'utf8').includes(`'${basename(file)}'`)
  const test = file.endsWith('.test.ts')
    ? file
    : globSync(`${dirname(file)}/*.test.ts`)
        .sort()
        .find(isRun)
  if (test === undefined) throw new Error(`${file} declares a client, and no test beside it names this file`)
  return `[${basename(file)}](../../${file})`
}
