/** Provider packages on which the project does not depend. The lockfile in packages/ fixes their
 *  versions, and scripts/provider-packages.ts installs them. */
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isOffline } from '@generation-gateway/kit/packs.ts'
import { clientsFolder } from '../../../../../clients/testing/clients-folder.ts'
import type { PackageSource } from '../../packages.ts'

export const lockfile = new URL('../packages/package-lock.json', import.meta.url)
export const manifest = new URL('../packages/package.json', import.meta.url)

export function packagesFolder(): string {
  return clientsFolder('ai-sdk-providers', lockfile)
}

/** Options of a test that uses the packages. The test is skipped when GATEWAY_OFFLINE=1 forbids the
 *  installation; otherwise missing packages make it fail. */
export function needPackages(): { skip?: string } {
  if (existsSync(packagesFolder()) || !isOffline(process.env)) return {}
  return { skip: 'needs the provider packages (node scripts/provider-packages.ts), and GATEWAY_OFFLINE=1 is set' }
}

/** Returns a source with these packages. `aliases` maps names to the names under which other
 *  versions of a package are installed. */
export function providerPackagesOf(aliases: Readonly<Record<string, string>> = {}): PackageSource {
  const { resolve } = createRequire(join(packagesFolder(), 'package.json'))
  return { has: () => true, load: name => import(pathToFileURL(resolve(aliases[name] ?? name)).href) }
}
