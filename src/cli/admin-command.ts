import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ParseArgsConfig, parseArgs } from 'node:util'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { checkObject } from '../contract/validate.ts'
import { type AdminOperation, adminOperations } from '../http/admin/admin-operations.ts'
import { readOwner } from '../stores/sqlite/open.ts'
import { print, table } from './terminal.ts'
import { readTrustedConfig } from './trusted-config.ts'

const askTimeoutMs = 30_000

/** The words with which commands for operators begin: `accounts`, `keys`, ... */
export const adminGroups: readonly string[] = [...new Set(adminOperations.map(operation => operation.name.split(' ')[0] ?? ''))]

/** Runs one action of an operator. When a gateway is running on the data folder, the action is
 *  sent to it. Otherwise, and always when the database is shared by several nodes, this process
 *  changes the store itself. */
export async function runAdminCommand(group: string, args: string[]): Promise<void> {
  const { verb, rest } = verbOf(group, args)
  const operation = adminOperations.find(candidate => candidate.name === `${group} ${verb}`)
  if (!operation || rest.includes('--help') || rest.includes('-h')) {
    if (!operation && verb !== undefined && verb !== '--help' && verb !== '-h')
      throw new GatewayError('invalid_request', `There is no command ${group} ${verb}.\n\n${helpOf(group)}`)
    return print(helpOf(group))
  }
  const { input, asJson } = inputOf(operation, rest)
  const answer = await perform(operation, input)
  print(asJson ? JSON.stringify(answer, null, 2) : show(answer))
}

/** Splits the words of a command into the verb and the flags. In some groups the verb may be
 *  omitted; `show` or `list` is then the verb: `gateway usage --by model`, `gateway nodes`. */
function verbOf(group: string, args: string[]): { verb: string | undefined; rest: string[] } {
  const [first, ...rest] = args
  const hasVerb = first !== undefined && (!first.startsWith('-') || first === '--help' || first === '-h')
  const whole = ['show', 'list'].find(verb => adminOperations.some(({ name, path }) => name === `${group} ${verb}` && !path.includes('{')))
  return hasVerb || whole === undefined ? { verb: first, rest } : { verb: whole, rest: args }
}

async function perform(operation: AdminOperation, input: Record<string, unknown>): Promise<object> {
  const config = readTrustedConfig()
  const owner = config.databaseUrl === undefined ? readOwner(config.dataDir) : undefined
  if (owner) return askGateway(operation, input, { url: owner.url, key: config.adminKey ?? readAdminKey(config.dataDir) })
  // This module is loaded only here: it loads the families and drivers, which other commands do not
  // need.
  const { performOnStore } = await import('./stopped-store.ts')
  return performOnStore(operation, input, config)
}

async function askGateway(
  operation: AdminOperation,
  input: Record<string, unknown>,
  { url, key }: { url: string | undefined; key: string },
): Promise<object> {
  if (url === undefined)
    throw new GatewayError('store_unavailable', 'Another process owns the data folder and does not listen yet; try again in a moment.')
  const rest = { ...input }
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(rest[name])
    delete rest[name]
    return encodeURIComponent(value)
  })
  const isBody = operation.method === 'POST'
  const query = isBody ? '' : `?${new URLSearchParams(Object.entries(rest).map(([name, value]) => [name, String(value)]))}`
  const sent = isBody ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(rest) } : {}
  const { status, answer } = await call(url + path + query, { ...sent, method: operation.method }, key)
  const { error } = Object(answer)
  if (status === 200 && error === undefined) return Object(answer)
  throw new GatewayError(
    'invalid_request',
    typeof error?.message === 'string' ? error.message : `The gateway at ${url} answered ${status}.`,
  )
}

async function call(url: string, request: RequestInit, key: string): Promise<{ status: number; answer: unknown }> {
  const headers = new Headers(request.headers)
  headers.set('authorization', `Bearer ${key}`)
  try {
    const response = await fetch(url, { ...request, headers, signal: AbortSignal.timeout(askTimeoutMs) })
    return { status: response.status, answer: await response.json() }
  } catch (cause) {
    const reason = cause instanceof Error ? (cause.cause instanceof Error ? cause.cause.message : cause.message) : String(cause)
    throw new GatewayError(
      'store_unavailable',
      `The gateway that owns the data folder cannot be asked at ${new URL(url).origin}: ${reason}.`,
      { cause },
    )
  }
}

function readAdminKey(dataDir: string): string {
  const file = join(dataDir, 'admin.key')
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (cause) {
    throw new GatewayError('invalid_request', `The admin key is needed: set GATEWAY_ADMIN_KEY, or run as the user that may read ${file}.`, {
      cause,
    })
  }
}

interface FieldSchema {
  type?: string
  default?: unknown
  description?: string
}

function fieldsOf(operation: AdminOperation): [string, FieldSchema][] {
  // The cast is safe: the objects contain JSON Schema keywords, although TypeBox's type does not
  // declare them.
  return Object.entries(operation.input.properties) as [string, FieldSchema][]
}

function inputOf(operation: AdminOperation, args: string[]): { input: Record<string, unknown>; asJson: boolean } {
  const options: NonNullable<ParseArgsConfig['options']> = { json: { type: 'boolean' } }
  for (const [name, field] of fieldsOf(operation)) options[flagOf(name)] = { type: 'string', multiple: field.type === 'array' }
  const inPath = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  let parsed: { values: Record<string, unknown>; positionals: string[] }
  try {
    parsed = parseArgs({ args, options, allowPositionals: true })
  } catch (error) {
    throw new GatewayError('invalid_request', `${error instanceof Error ? error.message : error}\n\n${usageOf(operation)}`)
  }
  const given: Record<string, unknown> = {}
  const free =
    inPath.length > 0 ? inPath.filter(name => !(name === 'account' && parsed.positionals.length < inPath.length)) : firstRequired(operation)
  for (const [index, value] of parsed.positionals.entries()) {
    const name = free[index]
    if (name === undefined)
      throw new GatewayError('invalid_request', `${JSON.stringify(value)} is one word too many.\n\n${usageOf(operation)}`)
    given[name] = value
  }
  for (const [name] of fieldsOf(operation)) {
    const value = parsed.values[flagOf(name)]
    if (value !== undefined) given[name] = value
  }
  return { input: checkObject(operation.input, given, 'options', { fromText: true }), asJson: parsed.values.json === true }
}

/** Returns the field whose value may be given without a flag: `id`, or else `name`, if the
 *  operation has it. Examples: `keys create ci`, `endpoints create studio`. */
function firstRequired(operation: AdminOperation): string[] {
  const names = fieldsOf(operation).map(([name]) => name)
  return ['id', 'name'].filter(name => names.includes(name)).slice(0, 1)
}

function flagOf(name: string): string {
  return name.replaceAll('_', '-')
}

function helpOf(group: string): string {
  return adminOperations
    .filter(operation => operation.name.startsWith(`${group} `))
    .map(usageOf)
    .join('\n\n')
}

function usageOf(operation: AdminOperation): string {
  const lines = fieldsOf(operation).map(([name, field]) => {
    const fallback = field.default === undefined || Array.isArray(field.default) ? '' : ` [${field.default}]`
    return `    --${flagOf(name).padEnd(20)}${field.description ?? ''}${fallback}${field.type === 'array' ? ' (may be repeated)' : ''}`
  })
  return [`gateway ${operation.name}`, `  ${operation.says}`, ...lines, `    --${'json'.padEnd(20)}Prints the answer as JSON.`].join('\n')
}

/** Returns the answer as text: lists as tables, any other answer as JSON. */
function show(answer: object): string {
  const entries = Object.entries(answer)
  const areLists = entries.length > 0 && entries.every(([, value]) => Array.isArray(value))
  return areLists ? entries.map(([name, rows]) => listText(name, rows)).join('\n\n') : JSON.stringify(answer, null, 2)
}

function listText(name: string, rows: Record<string, unknown>[]): string {
  if (rows.length === 0) return `No ${name}.`
  const columns = [...new Set(rows.flatMap(row => Object.keys(row)))]
  return table(
    columns,
    rows.map(row => columns.map(column => cell(column, row[column]))),
  )
}

function cell(column: string, value: unknown): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'number' && column.endsWith('At')) return new Date(value).toISOString().slice(0, 19)
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
