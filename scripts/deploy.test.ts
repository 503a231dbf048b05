/** Tests the files of deploy/: Compose, Kubernetes and systemd. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { globSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Ajv } from 'ajv'
import * as apps from 'kubernetes-models/apps/v1'
import * as autoscaling from 'kubernetes-models/autoscaling/v2'
import * as networking from 'kubernetes-models/networking.k8s.io/v1'
import * as policy from 'kubernetes-models/policy/v1'
import * as core from 'kubernetes-models/v1'
import { parse, parseAllDocuments } from 'yaml'
import { readConfig, settings } from '../src/config/settings.ts'
import { type Manifest, makeSecrets, renderManifests } from './containers/pods.ts'
import { hasKubectl, hasProgram } from './has-program.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (path: string): string => readFileSync(join(root, path), 'utf8')

/** Modules of the package kubernetes-models, by the apiVersion whose kinds they contain. */
const models: Readonly<Record<string, object>> = {
  v1: core,
  'apps/v1': apps,
  'autoscaling/v2': autoscaling,
  'networking.k8s.io/v1': networking,
  'policy/v1': policy,
}

let folder: string
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'gateway-deploy-'))
})
after(() => rmSync(folder, { recursive: true, force: true }))

const resources: readonly Manifest[] = kustomization().resources.flatMap((file: string) => resourcesOf(read(`deploy/kubernetes/${file}`)))

// biome-ignore lint/suspicious/noExplicitAny: kustomize itself checks it, in a test
function kustomization(): any {
  return parse(read('deploy/kubernetes/kustomization.yaml'))
}

function resourcesOf(text: string): Manifest[] {
  return parseAllDocuments(text).map(document => {
    assert.deepEqual(document.errors, [])
    return document.toJS()
  })
}

const kubectl = hasKubectl() ? {} : { skip: 'kubectl is not installed' }

test('kustomize renders the manifests, and what it renders fits the schemas of Kubernetes', kubectl, () => {
  const rendered = renderManifests(folder, {}).map(withoutBreaks)
  assert.equal(rendered.length, resources.length + 3)
  checkSchemas(rendered)
  for (const { kind, metadata } of rendered) assert.equal(kind === 'Namespace' ? metadata.name : metadata.namespace, 'generation-gateway')
})

/** Returns the resource; in a Secret, the line breaks that kustomize puts into long values are
 *  removed. */
function withoutBreaks(resource: Manifest): Manifest {
  if (resource.kind !== 'Secret' || resource.data === undefined) return resource
  const data = Object.entries<string>(resource.data).map(([name, value]) => [name, value.replaceAll(/\s/g, '')])
  return { ...resource, ...{ data: Object.fromEntries(data) } }
}

test('every manifest fits the schemas of Kubernetes, and an unknown field does not', () => {
  checkSchemas(resources)
  const [deployment] = resources.filter(({ kind }) => kind === 'Deployment')
  assert.ok(deployment)
  const wrong = structuredClone(deployment)
  wrong.spec.template.spec.containers[0].readinesProbe = {}
  assert.throws(() => checkSchemas([wrong]), /readinesProbe/)
  wrong.spec = { ...deployment.spec, replicas: 'two' }
  assert.throws(() => checkSchemas([wrong]), /replicas/)
})

/** Asserts that the resources fit the schemas of Kubernetes: the validators of kubernetes-models
 *  check the values, and the TypeScript types of that package check the names of fields. */
function checkSchemas(all: readonly Manifest[]): void {
  for (const resource of all) new (modelOf(resource))(resource).validate()
  const lines = all.flatMap(({ apiVersion, kind }, index) => {
    const module = `kubernetes-models/${apiVersion}`
    return [
      `import type { I${kind} as Kind${index} } from '${module}'`,
      `export const resource${index}: Kind${index} = ${JSON.stringify(all[index], null, 1)}`,
    ]
  })
  // The file with the resources is inside the project, because the compiler searches packages in
  // the folders above the file.
  const place = mkdtempSync(join(root, 'node_modules/.cache-deploy-'))
  try {
    const file = join(place, 'resources.ts')
    writeFileSync(file, lines.join('\n'))
    const options = ['--ignoreConfig', '--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--types', 'node']
    const { status, stdout } = spawnSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), ...options, file], {
      encoding: 'utf8',
    })
    assert.equal(status, 0, stdout)
  } finally {
    rmSync(place, { recursive: true })
  }
}

function modelOf({ apiVersion, kind }: Manifest): new (data: object) => core.Pod {
  const model = Object(models[apiVersion])[kind]
  assert.ok(model, `${apiVersion} ${kind}`)
  return model
}

test('every Pod runs without rights, has probes, and gets the time that a stop takes', () => {
  const deployments = resources.filter(({ kind }) => kind === 'Deployment')
  assert.deepEqual(
    deployments.map(({ metadata }) => metadata.name),
    ['api', 'engines'],
  )
  for (const { spec } of deployments) {
    const pod = spec.template.spec
    assert.deepEqual(
      [pod.securityContext.runAsNonRoot, pod.securityContext.runAsUser, pod.automountServiceAccountToken],
      [true, 10_001, false],
    )
    assert.ok(pod.shareProcessNamespace && pod.terminationGracePeriodSeconds >= 40)
    for (const container of pod.containers) {
      const { allowPrivilegeEscalation, readOnlyRootFilesystem, capabilities } = container.securityContext
      assert.deepEqual([allowPrivilegeEscalation, readOnlyRootFilesystem, capabilities.drop], [false, true, ['ALL']])
      assert.deepEqual([container.livenessProbe.httpGet.path, container.readinessProbe.httpGet.path], ['/healthz', '/readyz'])
    }
  }
})

test('a Deployment that is scaled by its load names no number of Pods, which each apply would set again', () => {
  const scaled = resources.filter(({ kind }) => kind === 'HorizontalPodAutoscaler').map(({ spec }) => spec.scaleTargetRef.name)
  const deployments = resources.filter(({ kind }) => kind === 'Deployment')
  assert.deepEqual(
    deployments.map(({ metadata }) => metadata.name),
    scaled,
  )
  for (const { spec } of deployments) assert.equal(spec.replicas, undefined)
})

test('an engine node listens and is called at the address of its Pod, of IPv4 and of IPv6', () => {
  const [engines] = resources.filter(({ kind, metadata }) => kind === 'Deployment' && metadata.name === 'engines')
  const env: { name: string; valueFrom?: object }[] | undefined = engines?.spec.template.spec.containers[0].env
  const address = env?.find(({ name }) => name === 'GATEWAY_NODE_URL')
  assert.deepEqual(address?.valueFrom, { fieldRef: { fieldPath: 'status.podIP' } })
  const [, HOST] = / HOST=(\S+) /.exec(read('Containerfile')) ?? []
  assert.equal(HOST, '::', 'the image listens on addresses of both versions')
  for (const podIP of ['10.0.0.5', 'fd00::5']) assert.equal(readConfig({ HOST, GATEWAY_NODE_URL: podIP }).nodeHost, podIP)
})

test('DNS is open at every address, because NodeLocal DNSCache answers at one of the machine', () => {
  const [outbound] = resources.filter(({ kind, metadata }) => kind === 'NetworkPolicy' && metadata.name === 'outbound')
  const rules = outbound?.spec.egress.filter(({ ports }: { ports: { port: number }[] }) => ports.some(({ port }) => port === 53))
  assert.deepEqual(rules, [{ ports: ['UDP', 'TCP'].map(protocol => ({ protocol, port: 53 })) }])
})

test('whatever selects Pods selects some, and every mounted file is generated', () => {
  const labels = resources.filter(({ kind }) => kind === 'Deployment').map(({ spec }) => spec.template.metadata.labels)
  const selectors = resources.flatMap(({ kind, spec }) => {
    if (kind === 'Service') return [spec.selector]
    return ['PodDisruptionBudget'].includes(kind) ? [spec.selector.matchLabels] : (spec?.podSelector?.matchLabels ?? [])
  })
  assert.equal(selectors.length, 5)
  for (const selector of selectors) assert.ok(labels.some(each => Object.entries(selector).every(([name, value]) => each[name] === value)))
  const { configMapGenerator, secretGenerator } = kustomization()
  const generated = [...configMapGenerator, ...secretGenerator].map(({ name }) => name)
  assert.deepEqual(generated, ['gateway-config', 'gateway-settings', 'gateway-secrets'])
})

test('compose.yaml fits its published schema, and every secret in it is made', () => {
  // The package dclint contains the schema of the Compose specification.
  const schema = join(dirname(fileURLToPath(import.meta.resolve('dclint/package.json'))), 'schemas/compose.schema.json')
  const validate = new Ajv({ strict: false, validateFormats: false, validateSchema: false, logger: false }).compile(
    JSON.parse(readFileSync(schema, 'utf8')),
  )
  const compose = parse(read('deploy/compose.yaml'))
  const fits: boolean = validate(compose)
  assert.ok(fits, JSON.stringify(validate.errors))
  assert.ok(!validate({ services: { gateway: { ...compose.services.gateway, readonly: true } } }))
  const secrets = join(folder, 'compose-secrets')
  makeSecrets(secrets)
  for (const [name, { file }] of Object.entries<{ file: string }>(compose.secrets)) {
    assert.equal(file, `secrets/${name}`)
    assert.ok(statSync(join(secrets, name)).size > 0)
  }
  for (const file of kustomization().secretGenerator[0].files) assert.ok(statSync(join(secrets, file.replace('secrets/', ''))).size > 0)
})

test('secrets that are there stay as they are, and each is different', () => {
  const secrets = join(folder, 'secrets')
  mkdirSync(secrets)
  writeFileSync(join(secrets, 'admin-key'), 'mine')
  makeSecrets(secrets)
  const contents = (): string[] => readdirSync(secrets).map(name => readFileSync(join(secrets, name), 'utf8'))
  const made = contents()
  makeSecrets(secrets)
  assert.deepEqual(contents(), made)
  assert.equal(new Set(made).size, 8)
  assert.equal(readFileSync(join(secrets, 'admin-key'), 'utf8'), 'mine')
  assert.equal(Buffer.from(readFileSync(join(secrets, 'secret-key'), 'utf8'), 'base64').length, 32)
  assert.ok(URL.canParse(readFileSync(join(secrets, 'database-url'), 'utf8')))
  assert.equal(statSync(secrets).mode & 0o777, 0o700)
})

test('no secret is made where there are no random bytes for it', () => {
  const secrets = join(folder, 'secrets-without-base64')
  const programs = join(folder, 'programs')
  mkdirSync(programs)
  writeFileSync(join(programs, 'base64'), '#!/bin/sh\nexit 1\n', { mode: 0o755 })
  const env = { ...process.env, PATH: `${programs}:${process.env.PATH}` }
  const { status, stderr } = spawnSync('sh', [join(root, 'deploy/make-secrets.sh'), secrets], { encoding: 'utf8', env })
  assert.deepEqual([status, stderr], [1, 'No random bytes for secret-key could be made.\n'])
  assert.deepEqual(readdirSync(secrets), [])
})

test('every setting in these files is one of the gateway', () => {
  const known = new Set(
    Object.values(settings).flatMap(setting => ('secret' in setting ? [setting.env, `${setting.env}_FILE`] : [setting.env])),
  )
  const names = globSync('deploy/**/*.{yaml,service}', { cwd: root }).flatMap(file => read(file).match(/\b(?:GATEWAY|AWS)_[A-Z_]+/g) ?? [])
  assert.ok(names.length > 20)
  assert.deepEqual(
    [...new Set(names)].filter(name => !known.has(name)),
    [],
  )
})

test('the gateway accepts the settings of Compose and of Kubernetes', () => {
  const secrets = join(folder, 'secrets-of-settings')
  makeSecrets(secrets)
  const { environment } = parse(read('deploy/compose.yaml')).services.gateway
  const [, { literals }] = kustomization().configMapGenerator
  for (const env of [environment, Object.fromEntries(literals.map((line: string) => line.split(/=(.*)/s).slice(0, 2)))]) {
    const found = Object.entries<string>(env).map(([name, value]) => [
      name,
      name.endsWith('_FILE') ? join(secrets, basename(value)) : value,
    ])
    const config = readConfig(Object.fromEntries(found))
    assert.ok(config.databaseUrl?.startsWith('postgres://') && 'bucket' in config.blobs && config.adminKey && config.metricsKey)
  }
})

const systemd = hasProgram('systemd-analyze') ? {} : { skip: 'systemd-analyze is not installed' }

test('systemd understands the unit and finds it well protected', systemd, () => {
  const unit = join(folder, 'generation-gateway.service')
  // systemd-analyze checks that the program exists, so the unit gets the path of this project.
  writeFileSync(
    unit,
    read('deploy/systemd/generation-gateway.service').replaceAll(/\/opt\/generation-gateway(?=[/\n])/g, root.replace(/\/$/, '')),
  )
  const verified = spawnSync('systemd-analyze', ['verify', unit], { encoding: 'utf8' })
  assert.deepEqual([verified.status, verified.stderr], [0, ''])
  // The highest exposure that passes is 2.0 of 10, which systemd-analyze calls "OK".
  const judged = spawnSync('systemd-analyze', ['security', '--offline=true', '--threshold=20', unit], { encoding: 'utf8' })
  assert.equal(judged.status, 0, judged.stdout)
})
