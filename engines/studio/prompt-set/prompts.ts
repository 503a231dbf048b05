import { readFileSync } from 'node:fs'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'

const text = Type.Optional(Type.String())

const expectedSubject = Type.Object({
  /** The expected noun. Alternatives are separated by `|`, and any one of them is correct; most
   *  other fields allow this, too. */
  noun: Type.String(),
  /** Regular expression for the keys of the drawings that show this thing. It excludes wrong
   *  drawings, such as a baseball glove for a boxing glove. */
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
  /** The printed thing that the picture appears on, such as a poster. */
  format: text,
  letterings: Type.Optional(Type.Array(Type.Object({ text: Type.String(), on: text }))),
  camera: Type.Optional(Type.Object({ framing: text, angle: text })),
  moods: Type.Optional(Type.Array(Type.String())),
  /** Allowed number of people in the picture. */
  people: Type.Optional(Type.Object({ min: Type.Integer(), max: Type.Integer() })),
  /** Things that must appear as a subject or as part of the setting, such as a volcano or a
   *  runway. */
  seen: Type.Optional(Type.Array(Type.String())),
  /** Nouns that must not be among the subjects. */
  absent: Type.Optional(Type.Array(Type.String())),
  /** The only words that the engine may report as not drawn; when absent, any words may be
   *  reported. */
  notDrawn: Type.Optional(Type.Array(Type.String())),
})

/** A fact about the finished picture that can be checked from its pixels. */
const pixelFact = Type.Object({
  region: Type.Union([
    Type.Literal('whole'),
    Type.Literal('top'),
    Type.Literal('bottom'),
    Type.Literal('left'),
    Type.Literal('right'),
    Type.Literal('center'),
  ]),
  /** Colour `#rrggbb` to which the mean colour of the region must be close. */
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
/** The prompt sets other than the main one. `geneval` and `parti` are samples of two public sets;
 *  `own` contains sentences that this project wrote in the style of those sets. */
export type PublicSet = 'geneval' | 'parti' | 'own'

/** Returns the main set of prompts, each with what a person expects its picture to show. Throws
 *  when the file does not fit the schema. */
export function readPromptSet(): PromptCase[] {
  return Value.Parse(Type.Object({ prompts: Type.Array(promptCase) }), readJson('prompts.json')).prompts
}

/** Returns one of the other sets: prompts drawn at random from a public set (see NOTICE), or
 *  sentences that this project wrote in the style of the public sets. The expectations were written
 *  before the engine was tuned for these prompts. Throws when the file does not fit the schema. */
export function readPublicSet(name: PublicSet): PublicCase[] {
  return Value.Parse(Type.Object({ prompts: Type.Array(publicCase) }), readJson(`${name}.json`)).prompts
}

function readJson(name: string): unknown {
  return JSON.parse(readFileSync(new URL(name, import.meta.url), 'utf8'))
}
