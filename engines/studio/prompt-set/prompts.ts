import { readFileSync } from 'node:fs'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'

const text = Type.Optional(Type.String())

const expectedSubject = Type.Object({
  /** Nouns joined with `|` are equally right; the same holds for the other words. */
  noun: Type.String(),
  count: Type.Optional(Type.Integer()),
  minCount: Type.Optional(Type.Integer()),
  colour: text,
  pose: text,
  size: text,
  horizontal: text,
  vertical: text,
  depth: text,
  role: text,
  gender: text,
  age: text,
  hair: text,
  hairStyle: text,
  beard: Type.Optional(Type.Boolean()),
  clothes: Type.Optional(Type.Array(Type.Object({ kind: Type.String(), colour: text }))),
  wears: Type.Optional(Type.Array(Type.String())),
})

const expectation = Type.Object({
  subjects: Type.Array(expectedSubject),
  relations: Type.Optional(Type.Array(Type.Object({ subject: Type.String(), kind: Type.String(), of: Type.String() }))),
  setting: text,
  time: text,
  season: text,
  weather: Type.Optional(Type.Array(Type.String())),
  style: text,
  letterings: Type.Optional(Type.Array(Type.Object({ text: Type.String(), on: text }))),
  camera: Type.Optional(Type.Object({ framing: text, angle: text })),
  moods: Type.Optional(Type.Array(Type.String())),
  /** Nouns that must not be among the subjects. */
  absent: Type.Optional(Type.Array(Type.String())),
})

/** A fact about the finished picture, for checks of pixels. */
const pixelFact = Type.Object({
  region: Type.Union([
    Type.Literal('whole'),
    Type.Literal('top'),
    Type.Literal('bottom'),
    Type.Literal('left'),
    Type.Literal('right'),
    Type.Literal('center'),
  ]),
  /** `#rrggbb` that most of the region is close to. */
  dominant: text,
  brightness: Type.Optional(Type.Union([Type.Literal('dark'), Type.Literal('light')])),
  hue: Type.Optional(Type.Union([Type.Literal('warm'), Type.Literal('blue'), Type.Literal('green')])),
  saturation: Type.Optional(Type.Union([Type.Literal('low'), Type.Literal('high')])),
})

const promptCase = Type.Object({
  id: Type.String(),
  language: Type.Union([Type.Literal('en'), Type.Literal('zh')]),
  difficulty: Type.Union([Type.Literal('easy'), Type.Literal('medium'), Type.Literal('hard')]),
  prompt: Type.String(),
  expect: expectation,
  pixels: Type.Optional(Type.Array(pixelFact)),
})

export type ExpectedSubject = Static<typeof expectedSubject>
export type Expectation = Static<typeof expectation>
export type PixelFact = Static<typeof pixelFact>
export type PromptCase = Static<typeof promptCase>

/** The prompt-following set: what a person would expect to see for each prompt. Throws when the file does not fit the schema. */
export function readPromptSet(): PromptCase[] {
  const json: unknown = JSON.parse(readFileSync(new URL('./prompts.json', import.meta.url), 'utf8'))
  return Value.Parse(Type.Object({ prompts: Type.Array(promptCase) }), json).prompts
}
