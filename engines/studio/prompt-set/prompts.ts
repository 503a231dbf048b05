import { readFileSync } from 'node:fs'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'

const text = Type.Optional(Type.String())

const expectedSubject = Type.Object({
  /** Nouns joined with `|` are equally right; the same holds for the other words. */
  noun: Type.String(),
  /** Pattern (a regular expression) of the art keys that show this thing: a boxing glove is not a
   *  baseball glove. */
  art: text,
  count: Type.Optional(Type.Integer()),
  minCount: Type.Optional(Type.Integer()),
  colour: text,
  looks: Type.Optional(Type.Array(Type.String())),
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
  /** The printed thing that shows the picture. */
  format: text,
  letterings: Type.Optional(Type.Array(Type.Object({ text: Type.String(), on: text }))),
  camera: Type.Optional(Type.Object({ framing: text, angle: text })),
  moods: Type.Optional(Type.Array(Type.String())),
  /** Number of people in the picture. */
  people: Type.Optional(Type.Object({ min: Type.Integer(), max: Type.Integer() })),
  /** Things that a subject or the place may show: a volcano, a runway. */
  seen: Type.Optional(Type.Array(Type.String())),
  /** Nouns that must not be among the subjects. */
  absent: Type.Optional(Type.Array(Type.String())),
  /** The only words that may be reported as not drawn; absent: not judged. */
  notDrawn: Type.Optional(Type.Array(Type.String())),
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

const publicCase = Type.Object({
  id: Type.String(),
  kind: Type.String(),
  prompt: Type.String(),
  expect: expectation,
})

export type ExpectedSubject = Static<typeof expectedSubject>
export type Expectation = Static<typeof expectation>
export type PixelFact = Static<typeof pixelFact>
export type PromptCase = Static<typeof promptCase>
type PublicCase = Static<typeof publicCase>
/** `own` are sentences of this project in the spirit of the public ones. */
export type PublicSet = 'geneval' | 'parti' | 'own'

/** Returns the prompt-following set: the expectations of a person for each prompt. Throws when the
 *  file does not fit the schema. */
export function readPromptSet(): PromptCase[] {
  return Value.Parse(Type.Object({ prompts: Type.Array(promptCase) }), readJson('prompts.json')).prompts
}

/** Returns prompts drawn by lot from a public set (see NOTICE), and sentences of this project in
 *  their spirit, with expectations that were written before the engine was tuned for them. Throws
 *  when the file does not fit the schema. */
export function readPublicSet(name: PublicSet): PublicCase[] {
  return Value.Parse(Type.Object({ prompts: Type.Array(publicCase) }), readJson(`${name}.json`)).prompts
}

function readJson(name: string): unknown {
  return JSON.parse(readFileSync(new URL(name, import.meta.url), 'utf8'))
}
