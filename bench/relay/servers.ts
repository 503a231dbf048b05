/** The servers that are compared: how each is started and called, and how a missing one can be
 *  installed. */
import { execFileSync } from 'node:child_process'
import { existsSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { treeCpuSeconds, treeResidentBytes } from '../process.ts'
import type { Order } from './answers.ts'
import { nginxProxy } from './nginx.ts'
import { type ProtocolName, protocols } from './protocols.ts'
import { assertFree, endProcess, hasProgram, programsNamed, spawnPinned, untilUp } from './spawn.ts'

export interface Address {
  path: string
  headers: Record<string, string>
  /** The name under which the server knows the model of the upstream. */
  model: string
  /** The protocol of the requests; when absent, chat completions. */
  protocol?: ProtocolName
}

/** Returns the body of a request to this address. */
export function bodyFor({ model, protocol = 'chat' }: Address, order?: Partial<Order>): string {
  return protocols[protocol].body(model, order)
}

export interface RelayServer {
  name: string
  port: number
  pid: number
  /** True for a server that relays few requests per second. Its rounds last three times as long,
   *  so that they contain enough requests. */
  isSlow: boolean
  /** Two addresses on the server: requests to `json` go to the JSON upstream, requests to `sse`
   *  to the streaming one. */
  json: Address
  sse: Address
  /** Returns the CPU time in seconds that all processes of the server have used so far, and the
   *  memory in bytes that they use now. */
  cost(): { cpu: number; resident: number }
  stop(signal?: 'SIGTERM' | 'SIGKILL'): Promise<void>
}

export interface StartOptions {
  /** Folder for configurations, logs and data. */
  folder: string
  jsonPort: number
  ssePort: number
}

export interface ServerKind {
  name: string
  /** The missing program and how to install it; undefined when the server can run. */
  missing?: string
  start(options: StartOptions): Promise<RelayServer>
}

export const accessKey = 'sk-bench-relay-access-key-0001'
export const adminKey = 'bench-relay-admin-key-0001'
const upstreamKey = 'sk-bench-upstream-key'
const root = fileURLToPath(new URL('../..', import.meta.url))
const jsonType = { 'content-type': 'application/json' }
const install = 'bash bench/peers/install.sh'

/** This gateway with all its features on: authentication, validation, limits, metrics, usage
 *  records, and a log line for each request, written to a file. */
export function ourGateway(options: { port?: number; dataName?: string; wrap?: string[] } = {}): ServerKind {
  const { port = 18_201, dataName = 'data', wrap = [] } = options
  return {
    name: 'gateway',
    start: async ({ folder, jsonPort, ssePort }) => {
      const config = join(folder, `${dataName}.yaml`)
      writeFileSync(config, gatewayYaml(jsonPort, ssePort))
      const headers = { ...jsonType, authorization: `Bearer ${accessKey}` }
      const path = '/v1/ai/default/chat/completions'
      return start(
        {
          name: 'gateway',
          port,
          command: [...wrap, process.execPath, join(root, 'src/cli/gateway.ts'), 'serve'],
          health: '/healthz',
          log: join(folder, `${dataName}.log`),
          env: {
            PORT: String(port),
            HOST: '127.0.0.1',
            GATEWAY_DATA_DIR: join(folder, dataName),
            GATEWAY_CONFIG: config,
            GATEWAY_ADMIN_KEY: adminKey,
            GATEWAY_LOG_LEVEL: 'info',
            GATEWAY_MIN_FREE_MB: '1',
            GATEWAY_ENGINE_WORKERS: '0',
            BENCH_ACCESS_KEY: accessKey,
            BENCH_UPSTREAM_KEY: upstreamKey,
          },
        },
        { json: { path, headers, model: 'bench' }, sse: { path, headers, model: 'bench-stream' } },
      )
    },
  }
}

/** Returns a copy of the server whose addresses use another protocol. All requests to these
 *  addresses go to the streaming upstream, also those for JSON answers. */
export function speaking(server: RelayServer, protocol: ProtocolName): RelayServer {
  const model = protocol === 'chat' ? server.sse.model : `bench-${protocol}`
  const address = (isStreamed: boolean) => ({ ...server.sse, model, protocol, path: protocols[protocol].path(model, isStreamed) })
  return { ...server, name: protocol, json: address(false), sse: address(true) }
}

function gatewayYaml(jsonPort: number, ssePort: number): string {
  const target = (id: string, { family, driver, url }: { family: string; driver: string; url: string }, rest = '') => `  - id: ${id}
    family: ${family}
    targets:
      - { driver: ${driver}, base_url: "${url}", api_key_env: BENCH_UPSTREAM_KEY, model: bench${rest} }
`
  const model = (id: string, port: number, rest = '') =>
    target(id, { family: 'chat', driver: 'openai-compatible', url: `http://127.0.0.1:${port}/v1` }, rest)
  const others = [
    ['messages', 'anthropic', 'v1'],
    ['generate-content', 'gemini', 'v1beta'],
    ['embeddings', 'openai-compatible', 'v1'],
  ] as const
  const inOthers = others.map(([family, driver, version]) =>
    target(`bench-${family}`, { family, driver, url: `http://127.0.0.1:${ssePort}/${version}` }),
  )
  return `accounts:
  - id: default
    keys: [{ name: bench, secret_env: BENCH_ACCESS_KEY, rate_per_minute: 10000000 }]
models:
${model('bench', jsonPort)}${model('bench-stream', ssePort)}${model('bench-normal', ssePort, ', normalize: true')}${inOthers.join('')}`
}

/** A server of node:http that relays nothing and answers the same requests itself. It is the
 *  reference when nginx is not installed. */
export const hello: ServerKind = {
  name: 'node:http hello',
  start: () => {
    const address = { path: '/', headers: jsonType, model: 'bench' }
    const command = [process.execPath, join(root, 'bench/bare.ts')]
    return start({ name: 'node:http hello', port: 18_202, command, health: '/', env: { PORT: '18202' } }, { json: address, sse: address })
  },
}

/** A relay of node:http and the gateway's client without any feature (bare-relay.ts). */
export const bareRelay: ServerKind = {
  name: 'bare relay',
  start: ({ jsonPort }) => {
    const address = { path: '/v1/chat/completions', headers: jsonType, model: 'bench' }
    const command = [process.execPath, '--no-allocation-site-pretenuring', fileURLToPath(new URL('./bare-relay.ts', import.meta.url))]
    const env = { PORT: '18207', UPSTREAM: `http://127.0.0.1:${jsonPort}` }
    return start({ name: 'bare relay', port: 18_207, command, health: '/', env }, { json: address, sse: address })
  },
}

export const nginx: ServerKind = {
  name: 'nginx',
  ...(hasProgram('nginx') ? {} : { missing: 'nginx is not installed: apt-get install nginx' }),
  start: ({ folder, ...upstreams }) => {
    const command = nginxProxy({ folder, port: 18_203 }, upstreams)
    const address = { headers: jsonType, model: 'bench' }
    return start(
      { name: 'nginx', port: 18_203, command, health: '/' },
      { json: { ...address, path: '/json/v1/chat/completions' }, sse: { ...address, path: '/sse/v1/chat/completions' } },
    )
  },
}

/** Returns the gateway Portkey on one of two Node versions, between which its speed differs by a
 *  factor of about 2.5. */
export function portkey(which: '20' | 'pinned'): ServerKind {
  const program = which === 'pinned' ? process.execPath : nodeOfMajor(20)
  const main = join(root, 'bench/peers/node_modules/@portkey-ai/gateway/build/start-server.js')
  const name = `Portkey on Node ${which === 'pinned' ? process.versions.node : '20'}`
  const port = which === 'pinned' ? 18_205 : 18_204
  const lacks = existsSync(main) ? undefined : `${name} is not installed: ${install} portkey`
  const missing = lacks ?? (program === undefined ? `${name} needs a Node 20 in the PATH` : undefined)
  return {
    name,
    ...(missing === undefined ? {} : { missing }),
    start: ({ folder, jsonPort, ssePort }) => {
      const address = (upstreamPort: number) => ({
        path: '/v1/chat/completions',
        model: 'bench',
        headers: {
          ...jsonType,
          authorization: `Bearer ${upstreamKey}`,
          'x-portkey-provider': 'openai',
          'x-portkey-custom-host': `http://127.0.0.1:${upstreamPort}/v1`,
        },
      })
      const command = [program ?? '', main, '--headless', `--port=${port}`]
      const log = join(folder, `portkey-${which}.log`)
      return start({ name, port, command, health: '/', log }, { json: address(jsonPort), sse: address(ssePort) })
    },
  }
}

const litellmProgram = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'generation-gateway/bench-litellm/bin/litellm')

export const litellm: ServerKind = {
  name: 'LiteLLM',
  ...(existsSync(litellmProgram) ? {} : { missing: `LiteLLM is not installed: ${install} litellm` }),
  start: ({ folder, jsonPort, ssePort }) => {
    const model = (name: string, port: number) => ({
      model_name: name,
      litellm_params: { model: 'openai/bench', api_base: `http://127.0.0.1:${port}/v1`, api_key: upstreamKey },
    })
    const config = join(folder, 'litellm.json')
    // JSON is a subset of YAML, so the configuration can be written as JSON.
    writeFileSync(
      config,
      JSON.stringify({
        model_list: [model('bench', jsonPort), model('bench-stream', ssePort)],
        general_settings: { master_key: accessKey },
        litellm_settings: { telemetry: false },
      }),
    )
    const address = { path: '/v1/chat/completions', headers: { ...jsonType, authorization: `Bearer ${accessKey}` } }
    return start(
      {
        name: 'LiteLLM',
        port: 18_206,
        command: [litellmProgram, '--config', config, '--host', '127.0.0.1', '--port', '18206', '--num_workers', '1'],
        health: '/health/liveliness',
        isSlow: true,
        log: join(folder, 'litellm.log'),
        // With this setting LiteLLM uses the prices in its package instead of fetching them, so it
        // starts without a network.
        env: { LITELLM_LOCAL_MODEL_COST_MAP: 'True' },
      },
      { json: { ...address, model: 'bench' }, sse: { ...address, model: 'bench-stream' } },
    )
  },
}

async function start(
  spec: { name: string; port: number; command: string[]; health: string; isSlow?: boolean; log?: string; env?: Record<string, string> },
  addresses: { json: Address; sse: Address },
): Promise<RelayServer> {
  const { name, port, command, health, isSlow = false, log, env = {} } = spec
  await assertFree(port)
  const output = log === undefined ? {} : { output: openSync(log, 'a') }
  const child = spawnPinned(command, { core: 0, env, ...output })
  await untilUp(`http://127.0.0.1:${port}${health}`, child).catch(async (cause: Error) => {
    await endProcess(child)
    throw new Error(log === undefined ? cause.message : `${cause.message}: ${readFileSync(log, 'utf8').slice(-500)}`, { cause })
  })
  const pid = child.pid ?? 0
  return {
    name,
    port,
    pid,
    isSlow,
    ...addresses,
    cost: () => ({ cpu: treeCpuSeconds(pid), resident: treeResidentBytes(pid) }),
    stop: signal => endProcess(child, signal),
  }
}

function nodeOfMajor(major: number): string | undefined {
  return programsNamed('node').find(path => execFileSync(path, ['--version'], { encoding: 'utf8' }).startsWith(`v${major}.`))
}
