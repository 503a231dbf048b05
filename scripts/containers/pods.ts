/** Turns the Deployments of deploy/kubernetes into Pods that `podman play kube` runs. */
import { spawnSync } from 'node:child_process'
import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAllDocuments, stringify } from 'yaml'

interface Manifest {
  kind: string
  metadata: { name: string; namespace?: string }
  // biome-ignore lint/suspicious/noExplicitAny: a test checks the manifests by their schemas
  [field: string]: any
}

export interface PodPlan {
  /** Name of the Deployment. */
  deployment: string
  /** Name of the Pod and of its node. */
  name: string
  image: string
  /** Port on the network of this machine. */
  port: number
  /** Folder of this machine that is mounted at /blobs. */
  folder: string | undefined
  /** Settings that replace those of the manifests. */
  env: Readonly<Record<string, string>>
}

/** Returns what kustomize makes of the manifests with these secrets (contents by file name). Throws
 *  its message when it fails. */
export function renderManifests(folder: string, secrets: Readonly<Record<string, string>>): Manifest[] {
  const copy = join(folder, 'kubernetes')
  cpSync('deploy/kubernetes', copy, { recursive: true })
  const made = spawnSync('sh', ['deploy/make-secrets.sh', join(copy, 'secrets')], { encoding: 'utf8' })
  if (made.status !== 0) throw new Error(made.stderr)
  for (const [name, content] of Object.entries(secrets)) writeFileSync(join(copy, 'secrets', name), content)
  const { status, stdout, stderr, error } = spawnSync('kubectl', ['kustomize', copy], { encoding: 'utf8' })
  if (error) throw error
  if (status !== 0) throw new Error(stderr)
  return parseAllDocuments(stdout).map(document => document.toJS())
}

/** Returns the YAML of a Pod with its ConfigMaps and Secret. It is the Pod of the manifests but
 *  for what podman 4.3 lacks: it listens on the network of this machine; no probes, for which
 *  podman would need curl in the image; no `status.podIP`; a ConfigMap in place of the Secret,
 *  whose values podman 4.3 writes into files as base64. */
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
            ...container.env.filter((each: { name: string }) => each.name !== 'POD_IP' && !(each.name in own)),
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

/** Returns a Secret as the ConfigMap with the same values. */
function asConfigMap(manifest: Manifest): Manifest {
  if (manifest.kind !== 'Secret') return manifest
  const values = Object.entries(manifest.data).map(([name, value]) => [name, Buffer.from(String(value), 'base64').toString()])
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: manifest.metadata, data: Object.fromEntries(values) }
}

function withoutSecrets({ secret, ...volume }: Manifest): object {
  return secret === undefined ? volume : { ...volume, configMap: { name: secret.secretName, optional: false } }
}

/** Replaces settings of the generated ConfigMap, which podman 4.3 prefers to those of the Pod. */
function withSettings(manifest: Manifest, env: Readonly<Record<string, string>>): Manifest {
  return manifest.metadata.name.startsWith('gateway-settings-') ? { ...manifest, data: { ...manifest.data, ...env } } : manifest
}
