import assert from 'node:assert/strict'
import { test } from 'node:test'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { leastCpuMs } from '@generation-gateway/kit/testing/cpu-time.ts'
import { parseText, promptParameter, sizeOf } from './flags.ts'

const read = (text: string) => parseText(text, 'text')

test('a text is words and then flags in any spelling; the last flag of a kind applies', () => {
  assert.deepEqual(read('a kettle,\n ink  sketch'), {
    prompt: 'a kettle,\n ink  sketch',
    ...{
      version: undefined,
      aspect: undefined,
      isDraft: false,
      seed: undefined,
      negative: undefined,
      flags: '',
      flagNames: [],
      leftOut: [],
    },
  })
  for (const flag of ['-v', '--v', '--V', '--version', '\u2014v', '\u2013version']) assert.equal(read(`a ${flag} 6.1`).version, 6.1, flag)
  assert.deepEqual(
    [read('a --ar 3:2').aspect, read('a --aspect 1:1 --ar 16:9').aspect, read('a --seed 3 --seed 0004').seed],
    ['3:2', '16:9', '4'],
  )
  const { version, flags, isDraft } = read('a --v 6 --fast --s 250 --turbo --draft --niji 5 --sref https://x.example/a.png 7 --hd --relax')
  assert.deepEqual([version, isDraft], [5, true])
  assert.equal(flags, '--niji 5 --relax --s 250 --draft --sref https://x.example/a.png 7 --hd')
  assert.deepEqual([read('a --niji').version, read('a --no cars,  people').negative], [7, 'cars, people'])
})

test('the long and the short spelling of a flag mean the same', () => {
  const pairs = {
    ...{ stylize: 's', chaos: 'c', quality: 'q', profile: 'p', personalize: 'p', version: 'v', aspect: 'ar', w: 'weird', r: 'repeat' },
  }
  const meant = (text: string) => ({ ...read(text), flagNames: [], leftOut: read(text).leftOut.length })
  for (const [other, usual] of Object.entries(pairs)) {
    const value = usual === 'ar' ? '3:2' : '7'
    const wanted = meant(`a --${usual} ${value}`)
    assert.deepEqual(meant(`a --${other} ${value}`), wanted, other)
    assert.deepEqual(meant(`a --${other} 6 --${usual} ${value}`), wanted, `${other} before it`)
    assert.deepEqual(meant(`a \u2014${other.toUpperCase()} ${value}`), wanted, `${other} of a phone`)
  }
  assert.equal(read('a --s 50 --stylize 250 --chaos 3 --quality 2 --profile abc').flags, '--s 250 --c 3 --q 2 --p abc')
  for (const version of ['5.0', '6.0', '7.0', '8.0']) assert.deepEqual(read(`a --v ${version}`), read(`a --v ${version[0]}`), version)
})

test('all flags that Midjourney lists are known', () => {
  const passed =
    '--niji 6 --style raw --weird 100 --tile --iw 2 --sref random --sw 100 --sv 4 --cref https://x.example/a.png --cw 50 --oref https://x.example/b.png --ow 40 --exp 10 --stop 80 --hd --stealth --sameseed 4 --draft'
  assert.equal(read(`a cat ${passed}`).flags, passed)
  assert.equal(read('a cat --style raw --raw').flags, '--raw')
  for (const flag of ['--raw', '--tile', '--public', '--sd', '--test', '--testp', '--creative', '--uplight', '--upbeta', '--upanime'])
    assert.deepEqual(read(`a cat ${flag}`).flagNames, [flag], flag)
  assert.deepEqual(read('a cat --repeat 4 --tile --video --motion high --loop --end https://x.example/a.png').leftOut, [
    ...['--repeat', '--video', '--motion', '--loop', '--end'],
  ])
  assert.equal(read('a cat --repeat 4 --tile').flags, '--tile')
})

test('dashes that begin no flag belong to the words', () => {
  for (const words of [
    'well-known -- a sea',
    'a \u2014storm\u2014 at sea',
    'at - v 7',
    '-5 degrees',
    '--- x',
    '--5',
    'x--draft',
    '-draft',
    'a-v 7',
  ])
    assert.equal(read(words).prompt, words)
})

test('an invalid flag is refused with the reason', () => {
  const wrong: [text: string, says: RegExp][] = [
    ['a --frobnicate 3', /^text has the flag "--frobnicate", which is not known; known are --v, /],
    ['a --constructor', /the flag "--constructor"/],
    ['a --ar=16:9', /the flag "--ar=16:9"/],
    ['a --v', /has --v without a value; it is one of 5, 5\.1, /],
    ['a --v 9', /has --v "9"/],
    ['a --v NaN', /has --v "NaN"/],
    ['a --niji 12', /has --niji "12"; it is one of 5, 6, 7/],
    ['a --ar', /has --ar without a value; it is two whole numbers like 16:9, from 1:14 to 14:1/],
    ...['0:1', '1:0', '16x9', '1.5:1', '15:1', '1:15', '-1:1', 'NaN:1', '1e3:1', '16:9 a cat', '\uff11:\uff11', `${'9'.repeat(400)}:1`].map(
      (value): [string, RegExp] => [`a --aspect ${value}`, /has --aspect "/],
    ),
    ['a --draft a cat', /has --draft "a cat"; it takes no value\. Flags stand behind all words\.$/],
    ['a --fast 1', /has --fast "1"/],
    ['a --tile a cat', /has --tile "a cat"; it takes no value\. Flags stand behind all words\.$/],
    ['a --style --tile', /has --style without a value; it names a style/],
    ['a --v 7.00', /has --v "7\.00"/],
    ['a --no', /has --no without a value; it names what must not be there/],
    ['a --no --v 7', /has --no without a value/],
    ...['', '-1', '4294967296', '1.5', 'x', '99999999999'].map((value): [string, RegExp] => [
      `a --seed ${value}`,
      /has --seed .*0 to 4294967295/,
    ]),
    [`a --seed ${'x'.repeat(41)}`, /has --seed "x{40}"; it is/],
    [`a --${'x'.repeat(41)}`, /has the flag "--x{38}", which/],
    ['--v 7', /^text has no words before its flags\.$/],
    ['\u2014v 7', /no words before/],
  ]
  for (const [text, says] of wrong) {
    assert.throws(
      () => read(text),
      (error: unknown) => {
        assert.ok(error instanceof GatewayError, text)
        assert.match(error.message, says)
        assert.equal(error.issues[0]?.rule, promptParameter)
        return true
      },
    )
  }
  assert.throws(() => parseText('a --x', 'remixPrompt'), /^GatewayError: remixPrompt has the flag/)
  assert.equal(read('a --aspect 14:1').aspect, '14:1')
})

test('the time to read flags grows linearly with the text', () => {
  const most = 8192
  const texts = [
    '-'.repeat(most),
    '--'.padEnd(most, ' --'),
    '--v '.repeat(most / 4),
    '\u2014'.repeat(most),
    `a ${'--no x '.repeat(1170)}`,
    ' '.repeat(most),
    `a --seed ${'9'.repeat(8000)}`,
  ]
  for (const text of texts) {
    const run = () => {
      try {
        read(text)
      } catch (error) {
        assert.ok(error instanceof GatewayError)
      }
    }
    assert.ok(leastCpuMs(run, 20) < 20, `${text.slice(0, 10)} took too long`)
  }
})

test('pictures have about one megapixel and sides of multiples of 32; drafts have half the sides', () => {
  for (const [aspect, sides] of Object.entries({
    '1:1': [1024, 1024],
    '3:2': [1248, 832],
    '16:9': [1376, 768],
    '2:3': [832, 1248],
    '14:1': [4032, 288],
    '1:14': [288, 3840],
  })) {
    const { width, height } = sizeOf({ aspect, isDraft: false })
    assert.deepEqual([width, height], sides, aspect)
    assert.deepEqual(sizeOf({ aspect, isDraft: true }), { width: width / 2, height: height / 2 })
  }
  assert.deepEqual(sizeOf({ aspect: undefined, isDraft: true }), { width: 512, height: 512 })
})
