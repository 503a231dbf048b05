/** Builds small WebAssembly modules: functions with integer parameters that work on a shared
 *  memory. The hexadecimal numbers below are the opcodes of the WebAssembly standard. */

/** Bytes of a WebAssembly expression or statement. */
export type Code = readonly number[]

export interface Routine {
  /** Names of the parameters, which are 32-bit integers. A routine returns nothing; it writes its
   *  results to the memory. */
  parameters: readonly string[]
  /** Names of the local variables: `numbers` are 32-bit integers, `vectors` have 128 bits. */
  numbers?: readonly string[]
  vectors?: readonly string[]
  body(local: Locals): readonly Code[]
}

export interface Locals {
  get(name: string): Code
  set(name: string, value: Code): Code
  /** Returns a statement that adds a value to a local integer. */
  add(name: string, value: Code): Code
  /** Returns a statement that adds a constant to each of several local integers; loops use it to
   *  advance addresses and to decrease the remaining count. */
  forward(steps: Readonly<Record<string, number>>): Code
}

/** A compiled routine; takes its parameters in order. */
export type Kernel = (...numbers: number[]) => void

/** Memory that routines work on. `grow` adds pages of 64 KiB and replaces `buffer`, so views of the
 *  old buffer become unusable. */
export interface Memory {
  readonly buffer: ArrayBuffer
  grow(pages: number): number
}

/** The parts of Node's WebAssembly that this file uses; Node's types leave them out. */
declare const WebAssembly: {
  Memory: new (size: { initial: number; maximum: number }) => Memory
  Module: new (bytes: Uint8Array) => object
  Instance: new (module: object, imports: object) => { exports: Readonly<Record<string, Kernel>> }
}

/** Creates a memory; both sizes are in pages of 64 KiB. */
export function createMemory(initial: number, maximum: number): Memory {
  return new WebAssembly.Memory({ initial, maximum })
}

const i32 = 0x7f
const v128 = 0x7b

/** Compiles the routines and returns them by name; they work on `memory`. */
export function assemble<Name extends string>(named: Readonly<Record<Name, Routine>>, memory: Memory): Readonly<Record<Name, Kernel>> {
  const routines: Routine[] = Object.values(named)
  const types = routines.map(({ parameters }) => [0x60, ...list(parameters.map(() => [i32])), 0])
  const module = [
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, list(types)),
    ...section(2, list([[...text('env'), ...text('memory'), 2, 0, ...unsigned(1)]])),
    ...section(3, list(routines.map((_, index) => unsigned(index)))),
    ...section(7, list(Object.keys(named).map((name, index) => [...text(name), 0, ...unsigned(index)]))),
    ...section(10, list(routines.map(bodyOf))),
  ]
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(new Uint8Array(module)), { env: { memory } })
  // The cast is needed because the type of an instance cannot express that a module exports what it
  // declares.
  return exports as Record<Name, Kernel>
}

function bodyOf({ parameters, numbers = [], vectors = [], body }: Routine): Code {
  const names = [...parameters, ...numbers, ...vectors]
  const at = (name: string): Code => {
    const index = names.indexOf(name)
    if (index < 0) throw new RangeError(`no local ${name}`)
    return unsigned(index)
  }
  const add = (name: string, value: Code): Code => [0x20, ...at(name), ...value, 0x6a, 0x21, ...at(name)]
  const local: Locals = {
    get: name => [0x20, ...at(name)],
    set: (name, value) => [...value, 0x21, ...at(name)],
    add,
    forward: steps => Object.entries(steps).flatMap(([name, step]) => add(name, number(step))),
  }
  const declared = list([
    [...unsigned(numbers.length), i32],
    [...unsigned(vectors.length), v128],
  ])
  const code = [...declared, ...body(local).flat(), 0x0b]
  return [...unsigned(code.length), ...code]
}

// Instructions for 32-bit integers.
export const number = (value: number): Code => [0x41, ...signed(value)]
const two = (opcode: number) => (a: Code, b: Code) => [...a, ...b, opcode]
export const plus = two(0x6a)
export const minus = two(0x6b)
export const times = two(0x6c)
export const shiftRight = two(0x75)
export const shiftLeft = two(0x74)
export const bits = two(0x71)
export const isLess = two(0x48)
export const loadByte = (at: Code, offset = 0): Code => [...at, 0x2d, 0, ...unsigned(offset)]
export const loadNumber = (at: Code, offset = 0): Code => [...at, 0x28, 0, ...unsigned(offset)]

/** Returns a loop that repeats statements while a condition holds. */
export const during = (condition: Code, statements: readonly Code[]): Code => [
  ...[0x02, 0x40, 0x03, 0x40],
  ...condition,
  ...[0x45, 0x0d, 1],
  ...statements.flat(),
  ...[0x0c, 0, 0x0b, 0x0b],
]
export const when = (condition: Code, statements: readonly Code[]): Code => [...condition, 0x04, 0x40, ...statements.flat(), 0x0b]

// Vector instructions. Their names state into what a vector of 128 bits is divided: 16 bytes of 8
// bits, 8 shorts of 16 bits, 4 words of 32 bits, or 4 floats of 32 bits.
const vector =
  (opcode: number) =>
  (...operands: Code[]): Code => [...operands.flat(), 0xfd, ...unsigned(opcode)]
const memoryVector = (opcode: number, align: number) => (at: Code, offset: number) => [
  ...at,
  0xfd,
  ...unsigned(opcode),
  align,
  ...unsigned(offset),
]
export const loadVector = (at: Code, offset = 0) => memoryVector(0, 0)(at, offset)
/** Loads eight bytes as shorts. */
export const loadShorts = (at: Code, offset = 0) => memoryVector(2, 0)(at, offset)
export const loadSignedShorts = (at: Code, offset = 0) => memoryVector(1, 0)(at, offset)
/** `loadHalf` loads two words and `loadWord` one word. Both set the other lanes to 0. */
export const loadHalf = (at: Code, offset = 0) => memoryVector(0x5d, 0)(at, offset)
export const loadWord = (at: Code, offset = 0) => memoryVector(0x5c, 0)(at, offset)
/** Loads one word into all four lanes. */
export const loadSplat = (at: Code, offset = 0) => memoryVector(9, 0)(at, offset)
/** Loads one word into one lane of a vector. */
export const loadLane = (at: Code, value: Code, lane: number, offset = 0): Code => [
  ...at,
  ...value,
  ...[0xfd, 0x56, 0, ...unsigned(offset), lane],
]
export const storeVector = (at: Code, value: Code, offset = 0): Code => [...at, ...value, 0xfd, 0x0b, 0, ...unsigned(offset)]
export const storeHalf = (at: Code, value: Code, offset = 0): Code => [...at, ...value, 0xfd, 0x5b, 0, ...unsigned(offset), 0]
export const storeWord = (at: Code, value: Code, offset = 0): Code => [...at, ...value, 0xfd, 0x5a, 0, ...unsigned(offset), 0]
export const bytes = (...values: number[]): Code => [0xfd, 0x0c, ...values]
export const shorts = (...values: number[]): Code => bytes(...values.flatMap(value => [value & 255, (value >> 8) & 255]))
export const words = (...values: number[]): Code => bytes(...new Uint8Array(Int32Array.from(values).buffer))
export const floats = (...values: number[]): Code => bytes(...new Uint8Array(Float32Array.from(values).buffer))
export const allWords = (value: number): Code => words(value, value, value, value)
export const allFloats = (value: number): Code => floats(value, value, value, value)
/** Returns one lane of a vector of words as a number. */
export const wordOf = (value: Code, lane: number): Code => [...value, 0xfd, 0x1b, lane]
/** Returns a vector of bytes picked from two vectors; an index of 0 to 15 refers to a byte of `a`,
 *  16 to 31 to a byte of `b`. */
export const pick = (a: Code, b: Code, from: readonly number[]): Code => [...a, ...b, 0xfd, 0x0d, ...from]
export const splatShort = vector(0x10)
/** Returns a vector of words picked from two vectors; an index of 0 to 3 refers to a word of `a`, 4
 *  to 7 to a word of `b`. */
export const pickWords = (a: Code, b: Code, from: readonly number[]): Code =>
  pick(
    a,
    b,
    from.flatMap(word => [0, 1, 2, 3].map(byte => word * 4 + byte)),
  )
export const xor = vector(0x51)
export const isAny = vector(0x53)
export const packBytes = vector(0x66)
export const meanBytes = vector(0x7b)
export const lowShorts = vector(0x89)
export const highShorts = vector(0x8a)
export const packShorts = vector(0x85)
export const fixedProduct = vector(0x82)
export const addShorts = vector(0x8e)
export const subShorts = vector(0x91)
export const timesShorts = vector(0x95)
export const rightShorts = (value: Code, by: number) => vector(0x8d)(value, number(by))
export const rightSignedShorts = (value: Code, by: number) => vector(0x8c)(value, number(by))
export const lowWords = vector(0xa9)
export const highWords = vector(0xaa)
export const splatWord = vector(0x11)
export const absWords = vector(0xa0)
export const addWords = vector(0xae)
export const subWords = vector(0xb1)
export const timesWords = vector(0xb5)
export const minWords = vector(0xb6)
export const maxWords = vector(0xb8)
export const both = vector(0x4e)
export const either = vector(0x50)
export const rightWords = (value: Code, by: number) => vector(0xac)(value, number(by))
/** Multiplies the signed shorts of two vectors and adds neighbouring products, which gives four
 *  words. */
export const pairProducts = vector(0xba)

export const floatsOf = vector(0xfa)
/** Converts floats to words, rounded towards 0. */
export const wordsOf = vector(0xf8)
export const nearestFloats = vector(0x6a)
export const absFloats = vector(0xe0)
export const addFloats = vector(0xe4)
export const subFloats = vector(0xe5)
export const timesFloats = vector(0xe6)
export const overFloats = vector(0xe7)
export const minFloats = vector(0xe8)
export const maxFloats = vector(0xe9)

function list(items: readonly Code[]): Code {
  return [...unsigned(items.length), ...items.flat()]
}

function section(id: number, content: Code): Code {
  return [id, ...unsigned(content.length), ...content]
}

function text(value: string): Code {
  return list([...Buffer.from(value)].map(byte => [byte]))
}

function unsigned(value: number): Code {
  return value < 128 ? [value] : [(value & 127) | 128, ...unsigned(value >>> 7)]
}

function signed(value: number): Code {
  const low = value & 127
  const rest = value >> 7
  const isLast = (rest === 0 && (low & 64) === 0) || (rest === -1 && (low & 64) !== 0)
  return isLast ? [low] : [low | 128, ...signed(rest)]
}
