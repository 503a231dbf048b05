/** Declarations of engines: what a gateway that has no engine packages has to know about the
 *  engines. The file declared-engines.json is generated from the packages
 *  (scripts/build-engines.ts). */
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defined } from '@generation-gateway/kit/defined.ts'
import type { DriverTools, EngineSpec } from '@generation-gateway/kit/driver.ts'
import { directOutbound } from '@generation-gateway/kit/outbound/outbound.ts'
import type { Capability } from '@generation-gateway/kit/requests/capabilities.ts'
import type { Offer } from '@generation-gateway/kit/requests/job.ts'

const coversFolder = '@generation-gateway/kit/slide-covers/'

/** The declaration of an engine: what can be known about the engine without its code. */
export interface EngineDeclaration
  extends Pick<EngineSpec, 'id' | 'title' | 'settings' | 'capabilities' | 'models' | 'voices' | 'templates' | 'section'> {
  /** Name of the queue of the engine's jobs. */
  queue: string
  offers: { [C in Capability]?: { kind: 'once' | 'streamed'; follows?: readonly string[] } }
}

/** Returns the declaration of an engine. Opens the engine for this, but does not start it.
 *  Throws a `TypeError` for an offer that is polled, because polled offers cannot run on another
 *  node. */
export function declarationOf(spec: EngineSpec): EngineDeclaration {
  const driver = spec.open(noTools)
  const { id, title, settings, capabilities, models, voices, templates, section } = spec
  const offers = Object.entries(driver.offers).map(([capability, { kind, follows }]: [string, Offer<never, unknown>]) => {
    if (kind === 'polled') throw new TypeError(`the offer ${capability} of the engine ${id} is polled`)
    return [capability, { kind, ...defined({ follows }) }]
  })
  void driver.close?.()
  return {
    ...{ id, title, settings, capabilities, queue: driver.queue.name, offers: Object.fromEntries(offers) },
    ...defined({ models, voices, templates, section }),
  }
}

/** Returns the text of the generated file, with one line for each engine. For the cover picture of
 *  a template, the text contains only the file name; the file itself is in the kit. */
export function declarationsText(specs: readonly EngineSpec[]): string {
  const shown = specs.map(declarationOf).map(({ templates, ...declaration }) => ({
    ...declaration,
    ...(templates && { templates: templates.map(each => ({ ...each, cover: basename(each.cover) })) }),
  }))
  return `[\n${shown.map(each => JSON.stringify(each)).join(',\n')}\n]\n`
}

/** Returns the declarations of all engines in this version of the program. */
export function declaredEngines(): EngineDeclaration[] {
  const declared: EngineDeclaration[] = JSON.parse(readFileSync(new URL('./declared-engines.json', import.meta.url), 'utf8'))
  return declared.map(({ templates, ...declaration }) => ({
    ...declaration,
    ...(templates && {
      templates: templates.map(each => ({ ...each, cover: fileURLToPath(import.meta.resolve(coversFolder + each.cover)) })),
    }),
  }))
}

/** Tools for an engine that is opened only in order to read its offers. */
const noTools: DriverTools = {
  packs: { file: () => undefined, howToGet: pack => pack },
  // The engine never runs, so it never inspects a file.
  inspection: undefined as unknown as DriverTools['inspection'],
  scratchDirectory: tmpdir(),
  dataDirectory: tmpdir(),
  cores: 1,
  allowPrivateUrls: false,
  outbound: directOutbound,
  log: { info: () => {}, warn: () => {} },
}
