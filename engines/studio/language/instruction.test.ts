import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Edit } from './edit-types.ts'
import { parseInstruction } from './instruction.ts'

/** Formats an edit as a short line: `recolour car red`, `add cat at left`, `rotate -90`. */
function line(edit: Edit): string {
  switch (edit.kind) {
    case 'blur':
      return `blur ${edit.area} ${edit.amount}`
    case 'crop':
      return cropLine(edit)
    case 'rotate':
      return `rotate ${edit.degrees}`
    case 'flip':
      return `flip ${edit.axis}`
    case 'recolour':
      return `recolour ${edit.target?.noun ?? 'all'} ${edit.colour.name}`
    case 'add':
      return addLine(edit)
    case 'remove':
      return `remove ${edit.target.all ? 'all ' : ''}${edit.target.colour ? `${edit.target.colour.name} ` : ''}${edit.target.noun}`
    case 'replace':
      return `replace ${edit.target.noun} ${edit.subjects.map(subject => subject.noun).join('+')}`
    case 'setting':
      return `setting ${edit.setting.kind}${edit.setting.colour ? ` ${edit.setting.colour.name}` : ''}`
    case 'text':
      return `text ${edit.lettering.text}${where(edit.lettering.place)}${edit.lettering.colour ? ` ${edit.lettering.colour.name}` : ''}${edit.on ? ` on ${edit.on.noun}` : ''}`
    case 'border':
      return `border ${edit.colour.name} ${edit.width}`
    case 'resize':
      return `resize ${edit.target.noun} ${edit.factor}`
    case 'move':
      return `move ${edit.target.noun}${where(edit.place)}`
    default:
      return otherLine(edit)
  }
}

function otherLine(edit: Edit): string {
  const { kind, ...rest } = edit
  const values = Object.values(rest).map(value => (typeof value === 'object' ? JSON.stringify(value) : String(value)))
  return [kind, ...values].join(' ')
}

function cropLine(edit: Extract<Edit, { kind: 'crop' }>): string {
  if (edit.mode === 'ratio') return `crop ${edit.width}:${edit.height}`
  if (edit.mode === 'zoom') return `crop zoom ${edit.share}${edit.on ? ` ${edit.on.noun}` : ''}`
  return `crop ${edit.mode} ${edit.side} ${edit.share}`
}

function addLine(edit: Extract<Edit, { kind: 'add' }>): string {
  const subjects = edit.subjects
    .map(subject => `${subject.count > 1 ? `${subject.count} ` : ''}${subject.colour ? `${subject.colour.name} ` : ''}${subject.noun}`)
    .join('+')
  return `add ${subjects}${where(edit.place)}${edit.anchor ? ` ${edit.anchor.relation} ${edit.anchor.target.noun}` : ''}`
}

function where(place: { horizontal?: string; vertical?: string; depth?: string } | undefined): string {
  if (!place) return ''
  return ` at ${[place.vertical, place.horizontal, place.depth].filter(part => part !== undefined).join(' ')}`
}

function check(rows: readonly (readonly [string, string])[]): void {
  for (const [text, expected] of rows) {
    const { edits, notUnderstood } = parseInstruction(text)
    assert.equal(edits.map(line).join('; '), expected, text)
    assert.deepEqual(notUnderstood, [], text)
  }
}

test('a ratio of zero is not understood', () => {
  for (const text of ['crop it to 0:0', 'crop to 16:0', 'crop to 0x9']) {
    const { edits, notUnderstood } = parseInstruction(text)
    assert.deepEqual(edits, [], text)
    assert.notDeepEqual(notUnderstood, [], text)
  }
})

test('edits of tone, sharpness and shape, in English', () => {
  check([
    ['make it black and white', 'grey'],
    ['convert to grayscale', 'grey'],
    ['Turn the photo into black and white', 'grey'],
    ['desaturate completely', 'grey'],
    ['make the image sepia', 'sepia'],
    ['apply a sepia filter', 'sepia'],
    ['invert the colors', 'invert'],
    ['blur the background', 'blur background 0.5'],
    ['slightly blur the background', 'blur background 0.2'],
    ['blur it', 'blur whole 0.5'],
    ['sharpen the image', 'sharpen 0.5'],
    ['make it sharper', 'sharpen 0.5'],
    ['make it brighter', 'brightness 0.5'],
    ['make it a bit darker', 'brightness -0.2'],
    ['make it much darker and warmer', 'brightness -0.9; temperature 0.5'],
    ['brighten the picture by 30%', 'brightness 0.3'],
    ['increase the contrast by 30%', 'contrast 0.3'],
    ['reduce saturation slightly', 'saturation -0.2'],
    ['make it more colorful', 'saturation 0.5'],
    ['make the colors less vivid', 'saturation -0.5'],
    ['cooler', 'temperature -0.5'],
    ['crop to a square', 'crop 1:1'],
    ['crop it to 16:9', 'crop 16:9'],
    ['crop the left half', 'crop keep left 0.5'],
    ['cut off the top 20%', 'crop cut top 0.2'],
    ['zoom in on the cat', 'crop zoom 0.67 cat'],
    ['rotate 90 degrees clockwise', 'rotate 90'],
    ['rotate it left by 90 degrees', 'rotate -90'],
    ['rotate 180 degrees', 'rotate 180'],
    ['turn it 45° counterclockwise', 'rotate -45'],
    ['flip it horizontally', 'flip horizontal'],
    ['mirror the image', 'flip horizontal'],
    ['turn it upside down', 'flip vertical'],
    ['add a vignette', 'vignette 0.5'],
    ['add a thick white border', 'border white 0.08'],
    ['put a thin black frame around it', 'border black 0.02'],
  ])
})

test('edits of subjects: add, remove, replace, recolour, resize, move, in English', () => {
  check([
    ['add a cat on the left', 'add cat at left'],
    ['add two birds in the sky', 'add 2 bird at top'],
    ['add a small boat behind the island', 'add small boat behind island'],
    ['add a red hat to the man', 'add red hat wearing man'],
    ['put sunglasses on the dog', 'add sunglasses wearing dog'],
    ['place an apple on the table', 'add apple on table'],
    ['Add a cat and place it in the top left corner', 'add cat at top left'],
    ['remove the car', 'remove car'],
    ['remove the red car', 'remove red car'],
    ['delete all the people', 'remove all person'],
    ['get rid of the clouds', 'weather ["clear"]'],
    ['remove the cat and the dog', 'remove cat; remove dog'],
    ['remove the text', 'remove text'],
    ['replace the dog with a cat', 'replace dog cat'],
    ['swap the car for a bicycle', 'replace car bicycle'],
    ['change the dog into a wolf', 'replace dog wolf'],
    ['make the car red', 'recolour car red'],
    ['change the color of the car to blue', 'recolour car blue'],
    ["change the dog's color to black", 'recolour dog black'],
    ['paint the house yellow', 'recolour house yellow'],
    ['color the sky dark blue', 'recolour sky dark blue'],
    ['make the tree bigger', 'resize tree 1.4'],
    ['make the dog 3 times bigger', 'resize dog 3'],
    ['make the dog 10x bigger', 'resize dog 4'],
    ['increase the brightness as much as possible', 'brightness 1'],
    ['make the cat twice as large', 'resize cat 2'],
    ['shrink the house by 50%', 'resize house 0.5'],
    ['move the dog to the right', 'move dog at right'],
  ])
})

test('edits of place, time, weather, season, style and text, in English', () => {
  check([
    ['change the background to a beach', 'setting beach'],
    ['replace the background with a snowy mountain', 'setting mountains'],
    ['make the background white', 'setting backdrop white'],
    ['set the scene in a forest', 'setting forest'],
    ['make it night', 'time night'],
    ['turn day into night', 'time night'],
    ['make it look like sunset', 'time sunset'],
    ['change it to winter', 'season winter'],
    ['make it rain', 'weather ["rain"]'],
    ['add fog', 'weather ["fog"]'],
    ['change the weather to sunny', 'weather ["clear"]'],
    ['turn it into a watercolor painting', 'style watercolor'],
    ['make it look like an oil painting', 'style oil'],
    ['in the style of Van Gogh', 'style impressionist'],
    ['convert it to pixel art', 'style pixel'],
    ['write "Happy Birthday" at the top in red', 'text Happy Birthday at top red'],
    ['add the text "SALE" in the bottom right corner', 'text SALE at bottom right'],
    ['change the sign text to "CLOSED"', 'remove text; text CLOSED on sign'],
  ])
})

test('several commands in one sentence, in English', () => {
  check([
    ['make it black and white and rotate it left by 90 degrees', 'grey; rotate -90'],
    ['Crop to 16:9, add a frame, and then blur the background.', 'crop 16:9; border white 0.04; blur background 0.5'],
    [
      'make it look like sunset, add a lighthouse on the right and write "Sea" at the bottom',
      'time sunset; add lighthouse at right; text Sea at bottom',
    ],
    ['Remove the dog. Make the sky pink; flip it vertically', 'remove dog; recolour sky pink; flip vertical'],
  ])
})

test('Chinese instructions', () => {
  check([
    ['把图片变成黑白', 'grey'],
    ['怀旧色', 'sepia'],
    ['向左旋转90度', 'rotate -90'],
    ['顺时针旋转45度', 'rotate 45'],
    ['水平翻转', 'flip horizontal'],
    ['上下翻转', 'flip vertical'],
    ['调亮一点', 'brightness 0.2'],
    ['画面亮一点', 'brightness 0.2'],
    ['让画面更暖一点', 'temperature 0.5'],
    ['提高对比度', 'contrast 0.5'],
    ['降低饱和度20%', 'saturation -0.2'],
    ['模糊背景', 'blur background 0.5'],
    ['背景虚化', 'blur background 0.5'],
    ['锐化', 'sharpen 0.5'],
    ['裁剪成正方形', 'crop 1:1'],
    ['裁成16:9', 'crop 16:9'],
    ['裁掉左边三分之一', 'crop cut left 0.33'],
    ['把车变成红色', 'recolour car red'],
    ['把汽车的颜色改成蓝色', 'recolour car blue'],
    ['添加两只小鸟在天空中', 'add 2 bird at top'],
    ['在桌子上加一个红苹果', 'add apple on table'],
    ['在狗的右边加一只白猫', 'add white cat right-of dog'],
    ['去掉树', 'remove tree'],
    ['把人去掉', 'remove person'],
    ['删除文字', 'remove text'],
    ['把狗换成猫', 'replace dog cat'],
    ['换成水彩风格', 'style watercolor'],
    ['变成夜晚', 'time night'],
    ['改成冬天', 'season winter'],
    ['把背景换成海滩', 'setting beach'],
    ['把背景改成粉色', 'setting backdrop pink'],
    ['加上文字“生日快乐”', 'text 生日快乐'],
    ['在右下角写上“夏天”', 'text 夏天 at bottom right'],
    ['加一个白色边框', 'border white 0.04'],
    ['加暗角', 'vignette 0.5'],
    ['把树放大', 'resize tree 1.4'],
    ['把猫移到左边', 'move cat at left'],
    ['把背景换成海滩，并加一只猫在左边', 'setting beach; add cat at left'],
    ['把这张照片转换成油画风格然后水平翻转', 'style oil; flip horizontal'],
    ['把整张图调暗一些，然后加边框', 'brightness -0.2; border white 0.04'],
  ])
})

test('commands outside the grammar are returned as written, the others are kept', () => {
  const { edits, notUnderstood } = parseInstruction('frobnicate the widget, and make it brighter')
  assert.deepEqual(edits.map(line), ['brightness 0.5'])
  assert.deepEqual(notUnderstood, ['frobnicate the widget'])
  assert.deepEqual(parseInstruction('').edits, [])
  assert.equal(parseInstruction('say "hello" backwards twice').notUnderstood.length, 1)
})

test('new subjects have new ids and relations among them', () => {
  const [edit] = parseInstruction('add a cat on a sofa').edits
  assert.ok(edit?.kind === 'add')
  assert.ok(edit.subjects.every(subject => /^n\d+$/.test(subject.id)))
})
