import { readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { DriverTools } from '@generation-gateway/kit/driver.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { languageName, spokenLanguage } from '@generation-gateway/kit/languages.ts'
import { FairQueue } from '@generation-gateway/kit/process/fair-queue.ts'
import { type Direction, directions, route } from './directions.ts'
import { withOpeningMarks } from './line-text.ts'
import { translateLines } from './lines.ts'
import { type PipelineStep, stepsAt, stepsOf } from './mode.ts'
import { translationPacks } from './packs.ts'
import { PipelineError, runPipeline } from './pipeline.ts'
import type { Translations, Translator } from './translator.ts'

/** Folder with the translation modes of an Apertium installed in the system. */
const systemModes = '/usr/share/apertium/modes'
/** Time limit of one run of the programs in ms: `baseMs`, and `msPerChar` for each character.
 *  `expectedMsPerChar` is the usual time, by which the queue sorts the runs. */
const baseMs = 20_000
const msPerChar = 1
const expectedMsPerChar = 0.05

/** Returns a translator that uses Apertium. For each direction it uses the engine packs if they
 *  have it, else the Apertium that is installed in the system. */
export function openTranslator({ packs, priority, cores }: Pick<DriverTools, 'packs' | 'priority' | 'cores'>): Translator {
  const programs = new FairQueue({ places: Math.max(1, cores) })
  const mayUse = (direction: Direction): boolean => pipelineOf(direction, packs) !== undefined
  return {
    canTranslate: (from, to) => findRoute(from, to, mayUse) !== undefined,
    async translate(texts, { from, to }, { account, signal }) {
      const steps = new Map<string, Promise<string[]>>()
      const done: Translations = {}
      const ways = to.map(target => ({ target, way: findRoute(from, target, mayUse) }))
      const unknown = ways.find(({ way }) => way === undefined)
      if (unknown) throw unavailable(from, unknown.target, packs)
      for (const { target, way = [] } of ways) {
        let key = ''
        let current = Promise.resolve([...texts])
        for (const direction of way) {
          key += ` ${direction.mode}`
          const before = current
          // Routes that begin with the same steps share the results of those steps.
          current = steps.get(key) ?? before.then(lines => hop(lines, direction))
          steps.set(key, current)
          await current
        }
        const translated = await current
        done[target] = way.at(-1)?.to === 'es' ? translated.map(withOpeningMarks) : translated
      }
      return done

      async function hop(from: readonly string[], direction: Direction): Promise<string[]> {
        const pipeline = pipelineOf(direction, packs)
        if (!pipeline) throw unavailable(direction.from, direction.to, packs)
        const run = { libraries: pipeline.libraries, priority, signal }
        const workMs = from.reduce((sum, { length }) => sum + length, 0) * expectedMsPerChar
        using place = await programs.take({ account, workMs, signal })
        let isFirst = true
        try {
          return await translateLines(from, direction, async input => {
            if (!isFirst) await place.giveWay()
            isFirst = false
            return runPipeline(pipeline.steps, input, { ...run, timeMs: baseMs + msPerChar * input.length })
          })
        } catch (error) {
          if (!(error instanceof PipelineError)) throw error
          throw failure(error, packs)
        }
      }
    },
  }
}

interface Pipeline {
  steps: PipelineStep[]
  libraries: string[]
}

function pipelineOf({ mode, pack }: Direction, packs: DriverTools['packs']): Pipeline | undefined {
  const own = packs.file(pack, `${mode}.mode`)
  if (own !== undefined) {
    const steps = stepsAt(stepsOf(readFileSync(own, 'utf8')), name => packs.file(pack, name) ?? packs.file('translation', name))
    // The programs and their libraries are in one folder; libraries from Debian may be in the
    // folder of another pack.
    const folders = [packs.file('translation', 'liblttoolbox.so.3'), packs.file('translation-libraries', 'libxml2.so.2')]
    if (steps) return { steps, libraries: folders.flatMap(file => (file === undefined ? [] : [dirname(file)])) }
  }
  const system = readSystemMode(mode)
  return system === undefined ? undefined : { steps: stepsOf(system), libraries: [] }
}

function readSystemMode(mode: string): string | undefined {
  try {
    return readFileSync(join(systemModes, `${basename(mode)}.mode`), 'utf8')
  } catch {
    return undefined
  }
}

/** Returns a route to the regional variant of the target language (`pt-BR`) if there is one, else a
 *  route to the language without its region (`pt`). */
function findRoute(from: string, to: string, mayUse: (direction: Direction) => boolean): Direction[] | undefined {
  const source = spokenLanguage(from)
  const target = spokenLanguage(to)
  if (source === undefined || target === undefined) return undefined
  if (source === target) return []
  const regional = to.replaceAll('_', '-')
  const own = directions.find(direction => direction.to.toLowerCase() === regional.toLowerCase())?.to
  return (own === undefined ? undefined : route(source, own, mayUse)) ?? route(source, target, mayUse)
}

function unavailable(from: string, to: string, packs: DriverTools['packs']): GatewayError {
  const way = findRoute(from, to, () => true)
  const missing = [...new Set(way?.map(({ pack }) => pack))].filter(pack =>
    translationPacks.some(({ id, files }) => id === pack && files.some(({ name }) => packs.file(pack, name) === undefined)),
  )
  const how =
    missing.length > 0
      ? missing.map(pack => packs.howToGet(pack)).join(' ')
      : 'None of the engine packs has this direction: a target of another driver under models in the file that GATEWAY_CONFIG names can take its place.'
  return new GatewayError('capability_unavailable', `There is nothing here that translates from ${title(from)} to ${title(to)}. ${how}`, {
    field: 'targets',
  })
}

/** Returns the English name of a language for its tag (`Portuguese` for `pt-BR`); any other text
 *  unchanged. */
function title(tag: string): string {
  return languageName(tag)?.replace(/\b[a-z]/g, letter => letter.toUpperCase()) ?? tag
}

function failure(error: PipelineError, packs: DriverTools['packs']): GatewayError {
  if (error.missingLibrary === undefined)
    return new GatewayError('internal_error', 'The translation failed on this text.', { cause: error })
  const message = `The translation needs the library ${error.missingLibrary}, which this machine lacks. ${packs.howToGet('translation-libraries')}`
  return new GatewayError('capability_unavailable', message, { cause: error })
}
