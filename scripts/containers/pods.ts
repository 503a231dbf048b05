/** Turns the Deployments of deploy/kubernetes into Pods that `podman play kube` runs. */
import { spawnSync } from 'node:child_process'
import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseAllDocuments, stringify } from 'yaml'

const deploy = fileURLToPath(new URL('../../deploy', import.meta.url))

export interface Manifest {
  apiVersion: string
  kind: string
  metadata: { name: string; namespace?: string }
  // biome-ignore lint/suspicious/noExplicitAny: a test checks the manifests by their schemas
  [field: string]: any
}

export interface PodPlan {
  /** Name of the Deployment. */
  deployment: string
  /** Name of the Pod, which is also the name of the gateway's node. */
  name: string
  image: string
  /** Port of this machine on which the gateway listens. */
  port: number
  /** Folder of this machine that is mounted at /blobs. */
  folder: string | undefined
  /** Settings that replace those of the manifests. */
  env: Readonly<Record<string, string>>
}

/** Returns the manifests of deploy/kubernetes, rendered by kustomize with these secrets (contents
 *  by file name). Throws an error with kustomize's message when it fails. */
export function renderManifests(folder: string, secrets: Readonly<Record<string, string>>): Manifest[] {
  const copy = join(folder, 'kubernetes')
  cpSync(join(deploy, 'kubernetes'), copy, { recursive: true })
  makeSecrets(join(copy, 'secrets'))
  for (const [name, content] of Object.entries(secrets)) writeFileSync(join(copy, 'secrets', name), content)
  const { status, stdout, stderr, error } = spawnSync('kubectl', ['kustomize', copy], { encoding: 'utf8' })
  if (error) throw error
  if (status !== 0) throw new Error(stderr)
  return parseAllDocuments(stdout).map(document => document.toJS())
}

/** Creates the secrets of an installation in a folder. Throws an error with the message of the
 *  script when it fails. */
export function makeSecrets(folder: string): void {
  const { status, stderr } = spawnSync('sh', [join(deploy, 'make-secrets.sh'), folder], { encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
}

/** Returns the YAML of a Pod and of its ConfigMaps. The Pod differs from the manifest because
 *  podman 4.3 lacks some features. The Pod uses the network of this machine and has no
 *  `status.podIP`. It has no probes, because podman would need curl in the image for them. Secrets
 *  become ConfigMaps, because podman 4.3 would write their values into files as base64. */
export function podYaml(manifests: readonly Manifest[], { deployment, name, image, port, folder, env }: PodPlan): string {
  const found = manifests.find(({ kind, metadata }) => kind === 'Deployment' && metadata.name === deployment)
  if (!found) throw new Error(`There is no Deployment ${deployment}`)
  const { metadata, spec } = structuredClone(found.spec.template)
  const [{ ports, startupProbe, readinessProbe, livenessProbe, lifecycle, ...container }] = spec.containers
  const own = { PORT: String(port), HOST: '127.0.0.1', GATEWAY_NODE_URL: `http://127.0.0.1:${port}` }
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { ...metadata, name },
    spec: {
      ...spec,
      hostNetwork: true,
      restartPolicy: 'Never',
      containers: [
        {
          ...container,
          image,
          env: [
            ...container.env.filter((each: { name: string }) => !(each.name in own)),
            ...Object.entries(own).map(([key, value]) => ({ name: key, value })),
          ],
          volumeMounts: [...container.volumeMounts, ...(folder === undefined ? [] : [{ name: 'blobs', mountPath: '/blobs' }])],
        },
      ],
      volumes: [
        ...spec.volumes.map(withoutSecrets),
        ...(folder === undefined ? [] : [{ name: 'blobs', hostPath: { path: folder, type: 'Directory' } }]),
      ],
    },
  }
  const others = manifests.filter(({ kind }) => kind === 'ConfigMap' || kind === 'Secret')
  return [...others.map(asConfigMap).map(each => withSettings(each, env)), pod].map(each => stringify(each)).join('---\n')
}

/** Returns a ConfigMap with the decoded values of a Secret; any other manifest unchanged. */
function asConfigMap(manifest: Manifest): Manifest {
  if (manifest.kind !== 'Secret') return manifest
  const values = Object.entries(manifest.data).map(([name, value]) => [name, Buffer.from(String(value), 'base64').toString()])
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: manifest.metadata, data: Object.fromEntries(values) }
}

function withoutSecrets({ secret, ...volume }: Manifest): object {
  return secret === undefined ? volume : { ...volume, configMap: { name: secret.secretName, optional: false } }
}

/** Replaces settings in the generated ConfigMap. The settings cannot be in the `env` of the Pod,
 *  because podman 4.3 lets the values of the ConfigMap override it. */
function withSettings(manifest: Manifest, env: Readonly<Record<string, string>>): Manifest {
  return manifest.metadata.name.startsWith('gateway-settings-') ? { ...manifest, data: { ...manifest.data, ...env } } : manifest
}
