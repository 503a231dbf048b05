/** `npm run generators [-- NAME...]`: generates a client from the OpenAPI document with each
 *  client generator and compiles it. Prints a table with the version, the number of generated
 *  operations, whether the client compiles, and the errors. The exit code is 1 when a generator
 *  fails. OpenAPI Generator and orval are fetched through npx, in the versions below; the others
 *  are packages of the project or of the Python environment `generator`. The tools of Java and
 *  Go fetch the packages that their clients need. A generator whose tools are missing on this
 *  machine is skipped, and the table says so. */
import { spawnSync } from 'node:child_process'
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, delimiter, join, resolve } from 'node:path'
import { environmentFolder, programsFolder } from '../src/clients/python/testing/environments.ts'

interface Generator {
  name: string
  version: string
  /** Programs that must be installed for this generator. */
  needs: readonly string[]
  generate: readonly string[]
  /** Commands, each run in the folder `client`. */
  compile: readonly (readonly string[])[]
  /** Pattern of the generated files that contain the operations of the API. */
  sources: string
}

interface Outcome {
  operations: number
  isCompiled: boolean
  errors: string[]
}

const modules = resolve('node_modules')
/** Strict compiler options, as a careful project sets them. */
const compilerOptions = {
  ...{ module: 'esnext', moduleResolution: 'bundler', target: 'es2024', lib: ['es2024', 'dom', 'dom.iterable'] },
  ...{ types: ['node'], strict: true, noEmit: true },
}
const orval = '8.38.0'
const openapiGenerator = { wrapper: '2.41.0', version: '7.25.0' }
const python = join(environmentFolder('generator'), 'bin', 'python')
const pythonGenerator = join(programsFolder('generator'), 'openapi-python-client')
const importAll = `import importlib, pkgutil, sys
client = importlib.import_module(sys.argv[1])
for module in pkgutil.walk_packages(client.__path__, client.__name__ + '.'): importlib.import_module(module.name)`
const compileTypes = [[process.execPath, join(modules, 'typescript/bin/tsc'), '-p', '.']]

const generators: readonly Generator[] = [
  {
    ...{ name: 'hey-api', version: installed('@hey-api/openapi-ts'), needs: [] },
    generate: [process.execPath, join(modules, '@hey-api/openapi-ts/bin/run.js'), '-i', 'openapi.json', '-o', 'client'],
    ...{ compile: compileTypes, sources: 'sdk.gen.ts' },
  },
  {
    ...{ name: 'openapi-typescript', version: installed('openapi-typescript'), needs: [] },
    generate: [process.execPath, join(modules, 'openapi-typescript/bin/cli.js'), 'openapi.json', '-o', 'client/gateway.ts'],
    ...{ compile: compileTypes, sources: 'gateway.ts' },
  },
  {
    ...{ name: 'openapi-python-client', version: pinned('openapi-python-client'), needs: [python] },
    generate: [pythonGenerator, 'generate', '--path', 'openapi.json', '--output-path', 'client', '--overwrite'],
    ...{ compile: [[python, '-c', importAll, 'generation_gateway_client']], sources: '*/api/**/*.py' },
  },
  ofOpenapiGenerator('python', { needs: [python], compile: [[python, '-c', importAll, 'openapi_client']], sources: '*/api/*.py' }),
  ofOpenapiGenerator('typescript-fetch', { needs: [], compile: compileTypes, sources: 'apis/*.ts' }),
  ofOpenapiGenerator('java', { needs: ['mvn'], compile: [['mvn', '-q', '-B', '-DskipTests', 'compile']], sources: '**/api/*.java' }),
  ofOpenapiGenerator('go', { needs: ['go'], compile: [['go', 'build', './...']], sources: 'api_*.go' }),
  {
    ...{ name: 'orval', version: orval, needs: ['npx'] },
    generate: ['npx', '--yes', `orval@${orval}`, '--input', './openapi.json', '--output', './client/gateway.ts', '--client', 'fetch'],
    ...{ compile: compileTypes, sources: 'gateway.ts' },
  },
]

const document = run([process.execPath, 'src/cli/gateway.ts', 'openapi'], { cwd: '.' })
if (!document.isDone) throw new Error(document.said)
const operationIds = [...document.said.matchAll(/^ {8}"operationId": "(\w+)"/gm)].map(([, id = '']) => id)
const wanted = process.argv.slice(2)
const rows = generators.filter(({ name }) => wanted.length === 0 || wanted.includes(name)).map(rowOf)
process.stdout.write(`\n| generator | version | operations of ${operationIds.length} | compiles | errors |\n|---|---|---|---|---|\n`)
for (const { line } of rows) process.stdout.write(`${line}\n`)
if (rows.some(({ isFailed }) => isFailed)) process.exitCode = 1

function rowOf(generator: Generator): { line: string; isFailed: boolean } {
  const { name, version, needs } = generator
  const missing = needs.find(
    program => !run([program, '--version'], { cwd: '.' }).isDone && !run([program, 'version'], { cwd: '.' }).isDone,
  )
  if (missing !== undefined) return { line: `| ${name} | ${version} | not run: needs ${basename(missing)} | | |`, isFailed: false }
  process.stdout.write(`${name} ...\n`)
  const { operations, isCompiled, errors } = outcomeOf(generator)
  for (const error of errors.slice(0, 20)) process.stdout.write(`  ${error}\n`)
  const isFailed = !isCompiled || errors.length > 0 || operations < operationIds.length
  return { line: `| ${name} | ${version} | ${operations} | ${isCompiled ? 'yes' : 'no'} | ${errors.length} |`, isFailed }
}

function outcomeOf({ generate, compile, sources }: Generator): Outcome {
  const folder = mkdtempSync(join(tmpdir(), 'generators-'))
  const client = join(folder, 'client')
  try {
    mkdirSync(client)
    symlinkSync(modules, join(folder, 'node_modules'))
    writeFileSync(join(folder, 'openapi.json'), document.said)
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
    writeFileSync(join(folder, 'openapitools.json'), JSON.stringify({ 'generator-cli': { version: openapiGenerator.version } }))
    const generated = run(generate, { cwd: folder })
    // The tests that the generator has written are removed, because they need further packages.
    for (const each of ['test', 'src/test']) rmSync(join(client, each), { recursive: true, force: true })
    writeFileSync(join(client, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['**/*.ts'] }))
    const compiled = generated.isDone ? compile.map(command => run(command, { cwd: client })) : []
    return {
      operations: operationsIn(client, sources),
      isCompiled: generated.isDone && compiled.every(({ isDone }) => isDone),
      errors: [generated, ...compiled].flatMap(errorsOf),
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Returns how many operations of the API were generated. An operation counts when its name, in
 *  any spelling, is the name of a function, of a field in a type, or of a file. */
function operationsIn(client: string, sources: string): number {
  const files = globSync(sources, { cwd: client })
  const texts = files.map(file => readFileSync(join(client, file), 'utf8'))
  const named = [...texts.flatMap(text => text.match(/\w+(?=\??\s*[(=:<])/g) ?? []), ...files.map(file => basename(file, '.py'))]
  const names = new Set(named.map(folded))
  return operationIds.filter(id => names.has(folded(id))).length
}

function folded(name: string): string {
  return name.replaceAll('_', '').toLowerCase()
}

/** Returns the lines of the output that report an error. When a command failed and no line does,
 *  returns the last ten lines. */
function errorsOf({ said, isDone }: GeneratorRun): string[] {
  const lines = said
    .split('\n')
    .filter(line => /\berror\b.*[:[]|\[ERROR\]|will not be generated|Exception in thread|: syntax error/i.test(line))
  const errors = lines.filter(line => !line.includes('OpenAPINormalizer'))
  return isDone || errors.length > 0 ? errors : said.split('\n').slice(-10)
}

interface GeneratorRun {
  isDone: boolean
  said: string
}

function run([command = '', ...args]: readonly string[], { cwd }: { cwd: string }): GeneratorRun {
  const paths = [join(modules, '.bin'), programsFolder('generator'), process.env.PATH ?? '', '/usr/local/go/bin']
  const typescript5 = import.meta.resolve('../src/clients/testing/typescript-5.ts')
  const options =
    command === process.execPath && cwd !== '.' && !args[0]?.includes('/typescript/') ? { NODE_OPTIONS: `--import ${typescript5}` } : {}
  const env = { ...process.env, ...options, PATH: paths.join(delimiter), NO_COLOR: '1', PYTHONPATH: cwd }
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, env, encoding: 'utf8', maxBuffer: 1e9, timeout: 900_000 })
  return { isDone: status === 0, said: cwd === '.' ? (stdout ?? '') : `${stdout}${stderr}` }
}

function ofOpenapiGenerator(language: string, further: Pick<Generator, 'needs' | 'compile' | 'sources'>): Generator {
  const cli = ['npx', '--yes', `@openapitools/openapi-generator-cli@${openapiGenerator.wrapper}`]
  return {
    ...{ name: `openapi-generator: ${language}`, version: openapiGenerator.version },
    generate: [...cli, 'generate', '-i', 'openapi.json', '-g', language, '-o', 'client'],
    ...further,
    needs: ['npx', 'java', ...further.needs],
  }
}

function installed(name: string): string {
  return JSON.parse(readFileSync(join(modules, name, 'package.json'), 'utf8')).version
}

function pinned(name: string): string {
  return readFileSync('src/clients/python/requirements-generator.txt', 'utf8').match(new RegExp(`^${name}==(\\S+)`, 'm'))?.[1] ?? ''
}
