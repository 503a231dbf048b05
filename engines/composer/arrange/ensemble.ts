/** Chooses the players of a piece: those of the style, changed by the instruments that the prompt
 *  names. */
import type { Brief } from '../brief/brief.ts'
import type { NamedInstrument } from '../brief/instruments.ts'
import type { Random } from '../random.ts'
import type { Instrument } from '../score.ts'
import type { Bass, Drums, Layer, Lead } from '../styles/style.ts'

export interface Ensemble {
  drums?: Drums
  bass?: PlayedPart<Bass>
  layers: readonly PlayedPart<Layer>[]
  lead: PlayedPart<Lead>
}
type PlayedPart<Part> = Part & { instrument: Instrument }

export function ensembleOf({ style, named, isSolo, hasDrums }: Brief, random: Random): Ensemble {
  const choose = <Part extends { instruments: readonly Instrument[] }>(part: Part, name: string): PlayedPart<Part> => ({
    ...part,
    instrument: random.fork(name).pick(part.instruments),
  })
  const lead = choose(style.lead, 'lead')
  if (isSolo && named[0]) return soloOf(named[0], lead)
  const ensemble: Ensemble = {
    ...(style.drums && hasDrums ? { drums: style.drums } : {}),
    ...(style.bass ? { bass: choose(style.bass, 'bass') } : {}),
    layers: style.layers.map(layer => choose(layer, layer.name)),
    lead,
  }
  return named.reduce((sum, each, index) => withNamed(sum, each, index === 0), ensemble)
}

/** Returns the parts of a piece that has only one instrument. A keyboard or guitar plays an
 *  accompaniment and the tune; a melody or bass instrument plays only the tune. */
function soloOf({ instrument, role, pattern, words }: NamedInstrument, lead: PlayedPart<Lead>): Ensemble {
  const tune: PlayedPart<Lead> = { ...lead, instrument, gain: -2, register: [Math.max(60, lead.register[0]), lead.register[1]] }
  if (role === 'lead' || role === 'bass') return { layers: [], lead: { ...tune, density: Math.max(1.4, lead.density) } }
  const hand: PlayedPart<Layer> = {
    ...{
      name: words[0] ?? 'solo',
      instruments: [instrument],
      instrument,
      voices: 4,
      gain: -5,
      pan: 0,
      from: 0,
      register: [48, 68] as const,
    },
    patterns: [pattern ?? 'x-------x-------', 'R-3-5-3-4-3-5-3-', 'R---x---R---x---'],
  }
  return { layers: [hand], lead: tune }
}

function withNamed(ensemble: Ensemble, { instrument, role, pattern, words }: NamedInstrument, isFirst: boolean): Ensemble {
  const name = words[0] ?? 'named'
  const { layers, bass, lead } = ensemble
  switch (role) {
    case 'lead':
      // A melody instrument plays the tune if the prompt names it first of all instruments, or if
      // the style has it for the tune. Any other one plays a part below the tune.
      if (isFirst || lead.instruments.includes(instrument)) return { ...ensemble, lead: { ...lead, instrument } }
      return {
        ...ensemble,
        layers: [
          ...layers,
          { ...added, name, instrument, instruments: [instrument], patterns: ['3-------2-------'], voices: 3, gain: -10 },
        ],
      }
    case 'bass':
      return bass ? { ...ensemble, bass: { ...bass, instrument } } : ensemble
    case 'drums':
      return ensemble
    default: {
      const there = layers.find(layer => familyOf(layer.instrument) === familyOf(instrument))
      if (there) {
        const own = { ...there, instrument, from: 0, gain: Math.max(there.gain, -5) }
        return { ...ensemble, layers: layers.map(layer => (layer === there ? own : layer)) }
      }
      const patterns = [role === 'pad' ? 'x---------------' : (pattern ?? 'x-------x-------')]
      return { ...ensemble, layers: [{ ...added, name, instrument, instruments: [instrument], patterns }, ...layers] }
    }
  }
}

const added = { register: [54, 76], voices: 4, gain: -5, pan: 0.2, from: 0 } as const

/** Returns the family of an instrument, as text. Instruments of one family can replace each other.
 *  In General MIDI, eight consecutive program numbers are one family. */
function familyOf(instrument: Instrument): string {
  return typeof instrument === 'number' ? String(instrument >> 3) : instrument
}
