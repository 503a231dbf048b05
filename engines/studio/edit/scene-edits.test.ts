import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Edit } from '../language/edit-types.ts'
import type { Scene, Subject } from '../scene.ts'
import { explainNotUnderstood } from './explain.ts'
import { editScene } from './scene-edits.ts'

const blue = { hex: '#2050d0', name: 'blue' }
const scene: Scene = {
  version: 1,
  prompt: 'two dogs and a black cat on a mat, a girl in a red dress, rain',
  language: 'en',
  seed: '42',
  setting: { kind: 'meadow', words: 'meadow', details: [] },
  time: 'day',
  season: 'summer',
  weather: ['rain'],
  style: 'illustration',
  moods: ['dark'],
  camera: { framing: 'medium', angle: 'eye', bokeh: false },
  subjects: [
    make('s1', 'dog', { count: 2 }),
    make('s2', 'cat', { colour: { hex: '#101010', name: 'black' }, relations: [{ kind: 'on', of: 's3' }] }),
    make('s3', 'mat'),
    make('s4', 'girl', {
      person: { age: 'child', gender: 'woman', clothes: [{ kind: 'dress', colour: '#c00000' }], wears: [{ kind: 'hat' }] },
    }),
    make('s5', 'cherry tree', { isBackground: true }),
  ],
  letterings: [{ text: 'WELCOME', on: 's3' }],
  extras: 0.5,
  notDrawn: [],
}

test('edits of the whole scene change exactly the named values', () => {
  const cases: [Edit, Partial<Scene>][] = [
    [{ kind: 'time', time: 'night' }, { time: 'night' }],
    [{ kind: 'season', season: 'winter' }, { season: 'winter' }],
    [{ kind: 'weather', weather: ['snow'] }, { weather: ['snow'] }],
    [{ kind: 'style', style: 'ink' }, { style: 'ink' }],
    [{ kind: 'mood', mood: 'bright' }, { moods: ['bright'] }],
    [{ kind: 'camera', camera: { framing: 'wide' } }, { camera: { framing: 'wide', angle: 'eye', bokeh: false } }],
    [{ kind: 'blur', area: 'background', amount: 0.5 }, { camera: { framing: 'medium', angle: 'eye', bokeh: true } }],
    [
      { kind: 'setting', setting: { kind: 'beach', words: 'beach', details: [] } },
      { setting: { kind: 'beach', words: 'beach', details: [] } },
    ],
    [
      { kind: 'recolour', colour: blue, target: { noun: 'background', words: 'background' } },
      { setting: { ...scene.setting, colour: blue } },
    ],
    [{ kind: 'text', lettering: { text: 'HI' } }, { letterings: [...scene.letterings, { text: 'HI' }] }],
    [
      { kind: 'text', lettering: { text: 'HI' }, on: { noun: 'dog', words: 'dog' } },
      { letterings: [...scene.letterings, { text: 'HI', on: 's1' }] },
    ],
    [{ kind: 'remove', target: { noun: 'text', words: 'the text' } }, { letterings: [] }],
    [{ kind: 'remove', target: { noun: 'rain', words: 'the rain' } }, { weather: ['clear'] }],
  ]
  for (const [edit, change] of cases) assert.deepEqual(run(edit), { ...scene, ...change }, JSON.stringify(edit))
})

test('the given scene is not changed', () => {
  const before = structuredClone(scene)
  editScene(scene, [
    { kind: 'remove', target: { noun: 'cat', words: 'cat' } },
    { kind: 'time', time: 'night' },
  ])
  assert.deepEqual(scene, before)
})

test('a removed subject goes with its lettering and the relations to it', () => {
  const out = run({ kind: 'remove', target: { noun: 'mat', words: 'the mat' } })
  assert.deepEqual(ids(out), ['s1', 's2', 's4', 's5'])
  assert.deepEqual(out.subjects[1]!.relations, [])
  assert.deepEqual(out.letterings, [])
  assert.equal(run({ kind: 'remove', target: { noun: 'dog', words: 'one dog' } }).subjects[0]!.count, 1)
  assert.deepEqual(ids(run({ kind: 'remove', target: { noun: 'dog', words: 'the dogs', all: true } })), ['s2', 's3', 's4', 's5'])
  assert.deepEqual(ids(run({ kind: 'remove', target: { noun: 'tree', words: 'the tree' } })), ['s1', 's2', 's3', 's4'])
})

test('added subjects get free ids, their place and their relation', () => {
  const balloon = make('n1', 'balloon')
  const string = make('n2', 'string', { relations: [{ kind: 'under', of: 'n1' }] })
  const out = run({ kind: 'add', subjects: [balloon, string], place: { horizontal: 'left' } })
  assert.deepEqual(ids(out).slice(-2), ['s6', 's7'])
  assert.deepEqual(out.subjects[5]!.place, { horizontal: 'left' })
  assert.deepEqual(out.subjects[6]!.relations, [{ kind: 'under', of: 's6' }])
  const beside = run({ kind: 'add', subjects: [balloon], anchor: { relation: 'beside', target: { noun: 'cat', words: 'the cat' } } })
  assert.deepEqual(beside.subjects[5]!.relations, [{ kind: 'beside', of: 's2' }])
  const worn = run({
    kind: 'add',
    subjects: [make('n1', 'hat')],
    anchor: { relation: 'wearing', target: { noun: 'dog', words: 'the dog' } },
  })
  assert.deepEqual(worn.subjects[0]!.relations, [{ kind: 'wearing', of: 's6' }])
})

test('a replacement takes over id, relations and place', () => {
  const out = run({ kind: 'replace', target: { noun: 'cat', words: 'the cat' }, subjects: [make('n1', 'rabbit')] })
  assert.deepEqual(out.subjects[1], make('s2', 'rabbit', { relations: [{ kind: 'on', of: 's3' }] }))
  assert.deepEqual(out.subjects.length, 5)
})

test('colours go to the subject, the garment or the hair that is named', () => {
  const target = (noun: string) => ({ kind: 'recolour', colour: blue, target: { noun, words: noun } }) as const
  assert.deepEqual(run(target('cat')).subjects[1]!.colour, blue)
  assert.equal(run(target('cat')).subjects[0]!.colour, undefined)
  assert.equal(run(target('dress')).subjects[3]!.person!.clothes[0]!.colour, blue.hex)
  assert.equal(run(target('hat')).subjects[3]!.person!.wears[0]!.colour, blue.hex)
  assert.equal(run(target('hair')).subjects[3]!.person!.hair!.colour, blue.hex)
  assert.equal(run(target('person')).subjects[3]!.person!.clothes[0]!.colour, blue.hex)
})

test('size, place and count of one subject change', () => {
  assert.equal(run({ kind: 'resize', target: { noun: 'cat', words: 'cat' }, factor: 1.4 }).subjects[1]!.size, 'large')
  assert.equal(run({ kind: 'resize', target: { noun: 'cat', words: 'cat' }, factor: 0.25 }).subjects[1]!.size, 'tiny')
  const moved = run({ kind: 'move', target: { noun: 'cat', words: 'cat' }, place: { horizontal: 'right' } }).subjects[1]!
  assert.deepEqual([moved.place, moved.relations], [{ horizontal: 'right' }, []])
  assert.equal(run({ kind: 'count', target: { noun: 'dog', words: 'dogs' }, count: 5 }).subjects[0]!.count, 5)
  assert.deepEqual(ids(run({ kind: 'count', target: { noun: 'dog', words: 'dogs' }, count: 0 })), ['s2', 's3', 's4', 's5'])
})

test('"it" is the main subject; colours and Chinese words select a subject', () => {
  assert.deepEqual(run({ kind: 'recolour', colour: blue, target: { noun: 'it', words: 'it' } }).subjects[0]!.colour, blue)
  const two = {
    ...scene,
    subjects: [make('s1', 'car', { colour: blue }), make('s2', 'car', { colour: { hex: '#c00000', name: 'red' }, words: '红色的汽车' })],
  }
  const remove = (target: Extract<Edit, { kind: 'remove' }>['target']) =>
    editScene(two, [{ kind: 'remove', target }]).scene.subjects.map(subject => subject.id)
  assert.deepEqual(remove({ noun: 'car', words: 'the red car', colour: { hex: '#d00000', name: 'red' } }), ['s1'])
  assert.deepEqual(remove({ noun: 'thing', words: '汽车' }), ['s1'])
})

test('pixel edits are passed on in order', () => {
  const edits: Edit[] = [
    { kind: 'grey' },
    { kind: 'time', time: 'dusk' },
    { kind: 'rotate', degrees: 90 },
    { kind: 'crop', mode: 'zoom', share: 0.5 },
    { kind: 'border', colour: blue, width: 0.05, rounded: false },
  ]
  const out = editScene(scene, edits)
  assert.deepEqual(out.pixelEdits, [edits[0], edits[2], edits[3], edits[4]])
  assert.equal(out.scene.time, 'dusk')
  assert.deepEqual(out.failed, [])
})

test('a thing that the scene does not have is reported, with the things it has', () => {
  const elephant = { noun: 'elephant', words: 'the elephant' }
  const impossible: Edit[] = [
    { kind: 'remove', target: elephant },
    { kind: 'recolour', colour: blue, target: elephant },
    { kind: 'resize', target: elephant, factor: 2 },
    { kind: 'move', target: elephant, place: {} },
    { kind: 'replace', target: elephant, subjects: [make('n1', 'cat')] },
    { kind: 'add', subjects: [make('n1', 'bird')], anchor: { relation: 'on', target: elephant } },
  ]
  for (const edit of impossible) {
    const { scene: out, failed } = editScene(scene, [edit])
    assert.deepEqual(out, scene)
    assert.match(failed[0]!.reason, /no "the elephant".*dog, cat, mat, girl, cherry tree\.$/)
  }
  assert.match(editScene(scene, [{ kind: 'count', target: { noun: 'dog', words: 'dogs' }, count: 99 }]).failed[0]!.reason, /0 to 60/)
  const huge = { ...scene, subjects: [make('s1', 'dog', { size: 'huge' })] }
  assert.match(editScene(huge, [{ kind: 'resize', target: { noun: 'dog', words: 'dog' }, factor: 2 }]).failed[0]!.reason, /already huge/)
})

test('words outside the grammar are quoted, with the possible edits', () => {
  assert.equal(explainNotUnderstood([]), undefined)
  assert.match(explainNotUnderstood(['sing a song'])!, /^Not understood: "sing a song"\. One can ask to add/)
})

function run(edit: Edit): Scene {
  const out = editScene(scene, [edit])
  assert.deepEqual(out.failed, [])
  assert.deepEqual(out.pixelEdits, [])
  return out.scene
}

function ids(of: Scene): string[] {
  return of.subjects.map(subject => subject.id)
}

function make(id: string, noun: string, extra: Partial<Subject> = {}): Subject {
  return {
    id,
    noun,
    words: noun,
    art: `noto:${noun}`,
    count: 1,
    looks: [],
    size: 'normal',
    heightMetres: 0.4,
    habitat: 'ground',
    relations: [],
    isBackground: false,
    ...extra,
  }
}
