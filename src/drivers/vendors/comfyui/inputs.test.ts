/** Tests where a request's prompt, seed, sizes and pictures are written in a workflow, and which
 *  requests are refused before anything is sent. */
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { ImageEditRequest, ImageGenerateRequest } from '@generation-gateway/kit/requests/image.ts'
import { apiKey, ComfyBench, edit, generate, imageToImage, png, promptIds, textToImage } from './testing/bench.ts'

let bench: ComfyBench
beforeEach(async () => {
  bench = new ComfyBench()
  await bench.open()
})
afterEach(() => bench.close())

const unusable = (settings: JsonObject) => bench.driver.unusable?.(settings, 'sd15') ?? ''

/** Returns the error with which the driver refuses a request, and checks that nothing was sent to
 *  the server. */
async function refusal(changes: Partial<ImageGenerateRequest>, settings = bench.settings()): Promise<{ code: string; message: string }> {
  const error = await bench
    .drawing()
    .start(bench.job({ ...generate, ...changes }, { settings }))
    .then(
      () => assert.fail('it was started'),
      caught => caught,
    )
  assert.equal(bench.server.received.length, 0)
  return error
}

test('inputs are found by the titles of nodes, and everything else stays as in the file', async () => {
  await bench.started()
  assert.equal(bench.sentInputs('6').text, generate.prompt)
  assert.equal(bench.sentInputs('7').text, 'dogs')
  assert.deepEqual(bench.sentInputs('5'), { width: 768, height: 640, batch_size: 1 })
  const { seed: _seed, ...sampler } = bench.sentInputs('3')
  assert.deepEqual(sampler, {
    steps: 20,
    cfg: 8,
    sampler_name: 'euler',
    scheduler: 'normal',
    denoise: 1,
    model: ['4', 0],
    positive: ['6', 0],
    negative: ['7', 0],
    latent_image: ['5', 0],
  })
  assert.equal(bench.sentInputs('4').ckpt_name, 'sd15.safetensors')
})

test('seeds beyond the safe range keep all digits; a negative one becomes the unsigned number with the same bits', async () => {
  await bench.started()
  assert.match(bench.sentText(), /"seed":9223372036854775807,/)
  await bench.started({ id: 'task-2', request: { ...generate, seed: '-1' } })
  assert.match(bench.sentText(), /"seed":18446744073709551615,/)
})

test("equal runs have separate output files, so the server's cache cannot return a deleted one", async () => {
  const prefixes = []
  for (const id of ['task-1', 'task-2']) {
    const [promptId = ''] = promptIds(await bench.started({ id }))
    assert.equal(bench.sentInputs('9').filename_prefix, `gateway-${promptId.slice(0, 8)}`)
    prefixes.push(bench.sentInputs('9').filename_prefix)
  }
  assert.equal(new Set(prefixes).size, 2)
})

test('a number in the file beyond the safe range keeps its digits', async () => {
  await bench.started({
    settings: bench.settings({
      values: { '9.filename_prefix': 'x' },
      inputs: { seed: '3.steps', prompt: '6.text', negative_prompt: '7.text', width: '5.width', height: '5.height' },
    }),
  })
  assert.match(bench.sentText(), /"seed":1007321854987654321,/)
})

test('without a negative prompt, the one in the file stays', async () => {
  const { negativePrompt: _none, ...request } = generate
  await bench.started({ request })
  assert.equal(bench.sentInputs('7').text, 'blurry')
})

test('an explicit map names nodes by id or title, and then other titles are ignored', async () => {
  const workflow = await bench.workflow(textToImage, { 6: { title: 'v1.5 text' } })
  const inputs = { prompt: 'V1.5 Text.text', seed: '3.seed', width: 'size.width', height: '5.height', model: '4.ckpt_name' }
  const settings = bench.settings({ workflow, inputs })
  const { negativePrompt: _none, ...request } = generate
  await bench.started({ settings, request, model: 'other.safetensors' })
  assert.equal(bench.sentInputs('6').text, generate.prompt)
  assert.deepEqual(bench.sentInputs('5'), { width: 768, height: 640, batch_size: 1 })
  assert.equal(bench.sentInputs('4').ckpt_name, 'other.safetensors')
  bench.server.received.length = 0
  assert.match((await refusal({}, settings)).message, /^negativePrompt: .* no input for it\.$/)
})

test("placeholders in texts are replaced: whole ones by numbers, others within the text; the caller's text stays", async () => {
  const workflow = await bench.workflow(textToImage, {
    3: { inputs: { seed: '{{seed}}' }, title: 'a' },
    5: { inputs: { width: '{{ width }}', height: '{{height}}', batch_size: '{{batch_size}}' }, title: 'b' },
    6: { inputs: { text: 'photo of {{prompt}}, {{unknown}}, $&' }, title: 'c' },
    7: { inputs: { text: '{{negative_prompt}}' }, title: 'd' },
    9: { inputs: { filename_prefix: '{{model}}/{{seed}}' } },
  })
  const settings = bench.settings({ workflow })
  await bench.started({ settings, request: { ...generate, prompt: '{{seed}} $1' } })
  assert.equal(bench.sentInputs('6').text, 'photo of {{seed}} $1, {{unknown}}, $&')
  assert.deepEqual(bench.sentInputs('5'), { width: 768, height: 640, batch_size: 1 })
  assert.match(bench.sentText(), /"seed":9223372036854775807,/)
  assert.match(String(bench.sentInputs('9').filename_prefix), /^sd15\/9223372036854775807-[0-9a-f]{8}$/)
  const { negativePrompt: _none, ...plain } = generate
  await bench.started({ id: 'task-2', settings, request: plain })
  assert.equal(bench.sentInputs('7').text, '')
})

test('a title that several nodes have is set in all of them, for models with two text encoders', async () => {
  const workflow = await bench.workflow(textToImage, { 7: { title: ' PROMPT' } })
  const { negativePrompt: _none, ...request } = generate
  await bench.started({ settings: bench.settings({ workflow }), request })
  assert.deepEqual([bench.sentInputs('6').text, bench.sentInputs('7').text], [generate.prompt, generate.prompt])
})

test('an input that comes from another node is not set', async () => {
  const workflow = await bench.workflow(textToImage, { 6: { inputs: { text: ['7', 0] } } })
  assert.match((await refusal({}, bench.settings({ workflow }))).message, /has no input for prompt: give a node that title/)
})

test('fixed values replace those of the file', async () => {
  await bench.started({ settings: bench.settings({ values: { '3.steps': 30, 'Load Checkpoint.ckpt_name': 'xl.safetensors' } }) })
  assert.equal(bench.sentInputs('3').steps, 30)
  assert.equal(bench.sentInputs('4').ckpt_name, 'xl.safetensors')
})

const missing: [field: string, node: string, title: string, changes: Partial<ImageGenerateRequest>][] = [
  ['negativePrompt', '7', 'Text', { negativePrompt: 'x' }],
  ['width', '5', 'Latent', {}],
  ['aspectRatio', '5', 'Latent', { aspectRatio: '4:3' }],
]
for (const [field, node, title, changes] of missing) {
  test(`a workflow without ${field} refuses it by name, before anything is sent`, async () => {
    const settings = bench.settings({ workflow: await bench.workflow(textToImage, { [node]: { title } }) })
    const { code, message } = await refusal(changes, settings)
    assert.equal(code, 'not_implemented')
    assert.equal(message, `${field}: the workflow of this model has no input for it.`)
  })
}

test('a workflow without an input for prompt or seed is not run', async () => {
  for (const [name, node] of [['prompt', '6'] as const, ['seed', '3'] as const]) {
    const settings = bench.settings({ workflow: await bench.workflow(textToImage, { [node]: { title: 'Other' } }) })
    const { code, message } = await refusal({}, settings)
    assert.equal(code, 'capability_unavailable')
    assert.match(message, new RegExp(`no input for ${name}: give a node that title`))
  }
})

test('what a workflow cannot do is known before it runs', async () => {
  const workflow = await bench.workflow(textToImage, { 7: { title: 'Text' } })
  const refuses = (changes: Partial<ImageGenerateRequest>) =>
    bench.drawing().refuses?.(bench.job({ ...generate, ...changes }, { settings: bench.settings({ workflow }) }))
  assert.deepEqual(refuses({}), {
    field: 'negativePrompt',
    message: 'negativePrompt: the workflow of this model has no input for it.',
  })
  const { negativePrompt: _, ...plain } = generate
  assert.equal(bench.drawing().refuses?.(bench.job(plain, { settings: bench.settings({ workflow }) })), undefined)
  assert.match(
    bench.drawing().refuses?.(bench.job(plain, { settings: bench.settings({ workflow: 'gone' }) }))?.message ?? '',
    /cannot be read/,
  )
  assert.equal(bench.server.received.length, 0)
})

test('features that no workflow has are refused: expanded prompts, and the other kind of work', async () => {
  assert.match((await refusal({ expandPrompt: true })).message, /does not expand/)
  assert.match((await refusal({}, bench.settings({ workflow: imageToImage }))).message, /^negativePrompt: /)
  const fields = { negative_prompt: '7.text', width: '3.steps', height: '3.steps', prompt: '6.text', seed: '3.seed', image: '10.image' }
  assert.match((await refusal({}, bench.settings({ workflow: imageToImage, inputs: fields }))).message, /changes a picture/)
  const job = bench.job(edit, { inputs: [await bench.input(await png('red'))] })
  await assert.rejects(bench.editing().start(job), { code: 'not_implemented', field: 'image' })
  assert.equal(bench.server.received.length, 0)
})

test('an edit without a size has the sides of its input, in multiples of 32, if the workflow accepts a size', async () => {
  const inputs = { prompt: '6.text', seed: '3.seed', image: '10.image', width: '11.width', height: '11.height' }
  const workflow = await bench.workflow(imageToImage, { 11: { inputs: { width: 1, height: 1 } } })
  const started = async (request: ImageEditRequest, id: string) => {
    const input = await bench.input(await png('red'), { width: 500, height: 10 })
    const job = bench.job(request, { id, inputs: [input], settings: bench.settings({ workflow, inputs }) })
    assert.equal((await bench.editing().start(job)).state, 'started')
    return [bench.sentInputs('11').width, bench.sentInputs('11').height]
  }
  assert.deepEqual(await started(edit, 'task-1'), [512, 32])
  assert.deepEqual(await started({ ...edit, width: 640, height: 320 }, 'task-2'), [640, 320])
})

test('a workflow that uses the size of its input refuses a size', async () => {
  const settings = bench.settings({ workflow: imageToImage })
  const job = bench.job({ ...edit, width: 64, height: 64 }, { settings, inputs: [await bench.input(await png('red'))] })
  await assert.rejects(bench.editing().start(job), { code: 'not_implemented', field: 'width' })
})

test('a refusal of values from the request is blamed on the request; any other on the workflow', async () => {
  const errors = (input: string, type: string, details: string) => [
    { type, message: 'Said so', details, extra_info: { input_name: input } },
  ]
  const tooLarge = {
    errors: errors('width', 'value_bigger_than_max', 'width /root/a max 16384'),
    dependent_outputs: ['9'],
    class_type: 'E',
  }
  bench.server.refusal = { error: { type: 'prompt_outputs_failed_validation', message: 'no' }, node_errors: { 5: tooLarge } }
  const start = () => bench.drawing().start(bench.job(generate))
  const words = 'The ComfyUI server refused the workflow: node "Size": Said so: width (path) max 16384.'
  assert.deepEqual(await start(), { state: 'failed', code: 'invalid_request', message: words })
  const missingModel = {
    errors: errors('ckpt_name', 'value_not_in_list', `ckpt_name: '${apiKey}' not in ['b.safetensors']`),
    dependent_outputs: ['9'],
  }
  bench.server.refusal = {
    error: { type: 'prompt_outputs_failed_validation', message: 'no' },
    node_errors: { 4: missingModel, 5: tooLarge },
  }
  const first = 'node "Load Checkpoint": Said so: ckpt_name: \'***\'.'
  assert.deepEqual(await start(), {
    state: 'failed',
    code: 'upstream_error',
    message: `The ComfyUI server refused the workflow: ${first}`,
    reasons: [first, 'node "Size": Said so: width (path) max 16384.'],
  })
  bench.server.refusal = { error: { type: 'prompt_no_outputs', message: 'Prompt has no outputs' }, node_errors: [] }
  const none = 'The ComfyUI server refused the workflow: Prompt has no outputs.'
  assert.deepEqual(await start(), { state: 'failed', code: 'upstream_error', message: none })
  assert.equal(bench.server.pending.length, 0)
})

test('a run that is accepted without the required output is stopped and refused', async () => {
  const errors = [
    { type: 'required_input_missing', message: 'Required input is missing', details: 'images', extra_info: { input_name: 'images' } },
  ]
  bench.server.nodeErrors = { 9: { errors, dependent_outputs: ['9'], class_type: 'SaveImage' } }
  const answer = await bench.drawing().start(bench.job(generate))
  assert.ok(answer.state === 'failed' && answer.message.endsWith('node "Save Image": Required input is missing: images.'))
  assert.equal(bench.server.pending.length, 0)
})

test('the file is read again when it changes', async () => {
  const workflow = await bench.workflow(textToImage, {})
  const settings = bench.settings({ workflow })
  await bench.started({ settings })
  assert.equal(bench.sentInputs('3').steps, 20)
  await bench.workflow(textToImage, { 3: { inputs: { steps: 7, cfg: 1.25 } } })
  await bench.started({ settings, id: 'task-2' })
  assert.equal(bench.sentInputs('3').steps, 7)
  await writeFile(workflow, '{')
  assert.equal(unusable(settings), 'The workflow file of the driver comfyui is no JSON.')
  const offer = bench.drawing()
  await assert.rejects(offer.start(bench.job(generate, { settings, id: 'task-3' })), { code: 'capability_unavailable' })
})

test('settings that do not fit the workflow make it unusable, with a message that names the place', async () => {
  const file = async (content: object) => {
    const workflow = join(bench.scratch, 'other.json')
    await writeFile(workflow, JSON.stringify(content))
    return unusable(bench.settings({ workflow }))
  }
  assert.equal(unusable(bench.settings()), '')
  assert.match(unusable(bench.settings({ workflow: join(bench.scratch, 'none.json') })), /cannot be read \(ENOENT\)/)
  assert.match(await file({ nodes: [], links: [] }), /Export \(API\)/)
  assert.match(await file({}), /has no nodes/)
  assert.match(await file({ 1: { inputs: {} } }), /no node: "1"/)
  assert.match(await file({ 1: { class_type: 'KSampler', inputs: {} } }), /no SaveImage node/)
  assert.match(await file({ 1: { class_type: 'SaveImage', inputs: {} } }), /no input for prompt and seed: give a node that title/)
  assert.match(unusable(bench.settings({ output: 'Nowhere' })), /output: the workflow has no node "Nowhere"/)
  assert.match(unusable(bench.settings({ inputs: { prompt: 'text' } })), /inputs\.prompt: "text" has no dot/)
  assert.match(unusable(bench.settings({ inputs: { prompt: '66.text' } })), /inputs\.prompt: the workflow has no node "66"/)
  assert.match(unusable(bench.settings({ inputs: { prompt: '6.words' } })), /the node "Prompt" has no input "words"/)
  assert.match(unusable(bench.settings({ inputs: { prompt: '6.clip' } })), /"clip" of the node "Prompt" comes from another node/)
  assert.match(unusable(bench.settings({ values: { '3.nothing': 1 } })), /values: the node "KSampler" has no input "nothing"/)
})

test('only the pictures of a named node are returned', async () => {
  const workflow = await bench.workflow(textToImage, { 9: { class_type: 'SaveImageExtended', title: 'Final' } })
  const handle = await bench.started({ settings: bench.settings({ workflow, output: 'final' }) })
  assert.deepEqual(handle.outputs, ['9'])
})
