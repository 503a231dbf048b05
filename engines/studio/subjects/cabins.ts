import type { RelationKind, Subject } from '../scene.ts'

/** A place at which a person in a vehicle is visible. `x` is the horizontal middle and `sill`
 *  the lower edge of a window or an open seat, measured from the upper left corner of the
 *  drawing; `height` is the height of the visible part of the person. All are shares of the
 *  drawing's width or height. */
interface CabinSeat {
  x: number
  sill: number
  height: number
}

interface Cabin {
  /** Seats behind windows, the driver's first. */
  seats: CabinSeat[]
  /** Places on the open back of the vehicle, where people stand or sit. */
  bed?: CabinSeat[]
}

const row = (xs: readonly number[], sill: number, height: number): CabinSeat[] => xs.map(x => ({ x, sill, height }))

const cabins: Record<string, Cabin> = {
  'noto:automobile': { seats: row([0.47, 0.7], 0.41, 0.31) },
  'noto:taxi': { seats: row([0.49, 0.7], 0.47, 0.24) },
  'noto:police-car': { seats: row([0.49, 0.69], 0.41, 0.25) },
  'noto:sport-utility-vehicle': { seats: row([0.48, 0.63, 0.79], 0.39, 0.29) },
  'noto:bus': { seats: row([0.18, 0.46, 0.61, 0.74, 0.87], 0.49, 0.32) },
  'noto:minibus': { seats: row([0.28, 0.52, 0.68, 0.83], 0.47, 0.27) },
  'noto:pickup-truck': { seats: row([0.43], 0.35, 0.3), bed: row([0.66, 0.82, 0.74, 0.9], 0.42, 0.62) },
  'noto:fire-engine': { seats: row([0.18], 0.48, 0.21) },
  'noto:ambulance': { seats: row([0.33], 0.5, 0.22) },
  'noto:tram-car': { seats: row([0.23, 0.77, 0.07, 0.92], 0.645, 0.13) },
  'noto:helicopter': { seats: row([0.21, 0.38], 0.58, 0.24) },
  'noto:tractor': { seats: row([0.57], 0.46, 0.36) },
  'noto:locomotive': { seats: row([0.8], 0.55, 0.2) },
  'drawn:truck': { seats: row([0.77], 0.44, 0.26) },
  'drawn:train': { seats: row([0.31, 0.07, 0.15, 0.23, 0.39], 0.42, 0.26) },
  'drawn:sports-car': { seats: row([0.44, 0.54], 0.37, 0.33) },
  'drawn:convertible': { seats: row([0.53, 0.43, 0.36, 0.48], 0.34, 0.72) },
  'drawn:jeep': { seats: row([0.6, 0.4, 0.26], 0.44, 0.44) },
  'drawn:school-bus': { seats: row([0.57, 0.07, 0.17, 0.27, 0.37, 0.47], 0.41, 0.28) },
  'drawn:double-decker-bus': {
    seats: [...row([0.27, 0.6, 0.1, 0.43, 0.77, 0.93], 0.34, 0.24), ...row([0.3, 0.6, 0.12, 0.45], 0.73, 0.21)],
  },
}

/** Returns the places for a person in or on a vehicle: behind its windows, or on its open back
 *  (`isBed`). Undefined for a person who stands or lies on its roof, for a subject (`child`) that
 *  is not a person, and for a `host` without such places. */
export function cabinOf(
  host: Pick<Subject, 'art'>,
  kind: RelationKind,
  child: Subject,
): { places: CabinSeat[]; isBed: boolean } | undefined {
  const cabin = cabins[host.art]
  if (!cabin || child.art !== 'rig:person') return undefined
  if (kind === 'riding') return { places: cabin.seats, isBed: false }
  if (kind !== 'in' && kind !== 'on') return undefined
  if (cabin.bed) return { places: cabin.bed, isBed: true }
  const standsOnIt =
    kind === 'on' && (child.pose === 'standing' || child.pose === 'jumping' || child.pose === 'dancing' || child.pose === 'lying')
  return standsOnIt ? undefined : { places: cabin.seats, isBed: false }
}
