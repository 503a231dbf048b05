import type { FramePlace, RelationKind } from '../../scene.ts'

/** Prepositions with their relation. Those under `locative` also turn a place into the setting of
 *  the scene, as in "on the beach"; those under `plain` do not. */
export const relationRows: { relation: RelationKind; locative?: string; plain?: string }[] = [
  {
    relation: 'on',
    locative: 'on, on top of, atop, upon, onto, on the back of, on top, along the top of',
    plain:
      'covering, resting on, mounted on, sitting on top of, seated on, seated upon, attached to, tied to, hanging on, hanging from, stuck to',
  },
  {
    relation: 'in',
    locative:
      'inside, into, within, inside of, in the middle of, in the center of, in the centre of, in the heart of, at the center of, in the midst of',
    plain:
      'in the back of, in the back up, in the bed of, packed on, packed into, packed in, crammed into, crowded into, crowded onto, crowded on, squeezed into, stuck in, stuck into, poking out of, peeking out of, peeking out from, peeking from, peeking through, popping out of, sticking out of, protruding from, emerging from, emerging out of, coming out of, bursting out of, leaping out of, growing out of, growing from, growing in, rising from, rising out of, planted in, trapped in, trapped inside, hidden in, hiding in, floating in, swimming in, soaking in, wrapped in',
  },
  { relation: 'under', plain: 'under, beneath, below, underneath, in the shade of, in the shadow of, at the foot of, at the base of' },
  {
    relation: 'above',
    plain:
      'above, over, flying over, hovering over, flying above, soaring over, soaring above, hovering above, high above, overhead of, floating above, floating over, hanging over, jumping over, leaping over, jumping off, jumping off of, jumps off, leaping off, diving off, jumping from, rising above, rising over',
  },
  { relation: 'behind', plain: 'behind, in back of, at the back of, standing over, looming over, towering over' },
  { relation: 'in-front-of', plain: 'in front of, before, in the front of, against' },
  {
    relation: 'beside',
    plain:
      'beside, next to, alongside, adjacent to, near, close to, by the side of, besides, to the side of, accompanied by, together with, along with, side by side with, leaning against, leaning on, touching, not far from, followed by, up to, toward, towards, crashing into, crashes into, bumping into, colliding with, smashing into, slamming into, running into',
  },
  { relation: 'left-of', plain: 'to the left of, left of, on the left of, on the left side of, at the left of' },
  { relation: 'right-of', plain: 'to the right of, right of, on the right of, on the right side of, at the right of' },
  { relation: 'between', plain: 'between, in between, sandwiched between' },
  {
    relation: 'around',
    plain: 'around, surrounding, circling, all around, encircling, orbiting, swimming around, flying around, gathered around',
  },
]

/** Prepositions for which the relation goes from the object to the subject: in "a castle surrounded
 *  by trees", the trees are around the castle. */
export const reversedRows: { relation: RelationKind; words: string }[] = [
  { relation: 'around', words: 'surrounded by, encircled by, ringed by, flanked by, amid, amidst, among, amongst, in the middle of many' },
  {
    relation: 'on',
    words:
      'overgrown with, wrapped with, covered with, covered in, covered by, topped with, decorated with, adorned with, dotted with, lined with, strewn with, carpeted with, sprinkled with, garnished with, piled with',
  },
  {
    relation: 'in',
    words: 'filled with, full of, stuffed with, loaded with, laden with, packed with, brimming with, containing, holding many',
  },
  { relation: 'behind', words: 'against a backdrop of, backed by, with a backdrop of' },
]

/** Prepositions that only say in which place a thing is, and state no relation to another thing. */
export const locativeWords =
  'at, by, across, through, along, throughout, beyond, off, down, up, past, onto the, out of, outside, from, via, to, outside of, along the edge of, at the edge of, on the edge of, near the edge of, on the shore of, on the shores of, on the bank of, on the banks of, in view of, out on, out in, overlooking, deep in, high in, high up in, set in, walking through, atop of, on the side of, on the surface of, at the bottom of, at the top of, on the outskirts of'

export const placeRows: { words: string; place: FramePlace }[] = [
  {
    place: { horizontal: 'left' },
    words:
      'on the left, on the left side, to the left, at left, at the left, on left, left side, on the left hand side, at the left side, from the left, in the left, left, left-hand side, left half, 左边, 左侧, 左面, 左方, 画面左侧, 画面左边, 在左边, 左半边, 在左侧, 最左边',
  },
  {
    place: { horizontal: 'right' },
    words:
      'on the right, on the right side, to the right, at right, at the right, on right, right side, on the right hand side, at the right side, from the right, in the right, right, right-hand side, right half, 右边, 右侧, 右面, 右方, 画面右侧, 画面右边, 在右边, 右半边, 在右侧, 最右边',
  },
  {
    place: { horizontal: 'center' },
    words:
      'in the center, in the centre, in the middle, at the center, at the centre, centered, centred, center, centre, in the center of the frame, in the center of the picture, in the centre of the image, in the center of the image, in the middle of the picture, in the middle of the image, middle, 中间, 中央, 正中, 居中, 画面中央, 画面中间, 正中央, 画面中心, 中心',
  },
  {
    place: { vertical: 'top' },
    words:
      'at the top, on top of the picture, top of the image, in the upper part, upper part, at the top of the image, at the top of the picture, at the top of the frame, overhead, up high, in the sky above, up in the sky, high up, high in the sky, in the sky, up above, across the sky, in the night sky, in the upper half, through the sky, 上方, 顶部, 画面上方, 高处, 上空, 天空中, 空中, 天上, 画面顶部, 天空里, 最上面, 夜空中, 半空中, 头顶上',
  },
  {
    place: { vertical: 'bottom' },
    words:
      'at the bottom, in the lower part, at the bottom of the image, at the bottom of the picture, at the bottom of the frame, lower part, in the lower half, 下方, 底部, 画面下方, 画面底部, 最下面',
  },
  {
    place: { vertical: 'top', horizontal: 'left' },
    words:
      'top left, upper left, top-left, upper-left, in the top left, in the upper left, in the top left corner, in the upper left corner, top left corner, upper left corner, at the top left, top-left corner, upper-left corner, in the top-left corner, in the upper-left corner, left top, in the top left of the image, 左上角, 左上方, 左上, 画面左上角',
  },
  {
    place: { vertical: 'top', horizontal: 'right' },
    words:
      'top right, upper right, top-right, upper-right, in the top right, in the upper right, in the top right corner, in the upper right corner, top right corner, upper right corner, at the top right, top-right corner, upper-right corner, in the top-right corner, in the upper-right corner, in the top right of the image, 右上角, 右上方, 右上, 画面右上角',
  },
  {
    place: { vertical: 'bottom', horizontal: 'left' },
    words:
      'bottom left, lower left, bottom-left, lower-left, in the bottom left, in the lower left, in the bottom left corner, in the lower left corner, bottom left corner, lower left corner, at the bottom left, bottom-left corner, in the bottom-left corner, 左下角, 左下方, 左下, 画面左下角',
  },
  {
    place: { vertical: 'bottom', horizontal: 'right' },
    words:
      'bottom right, lower right, bottom-right, lower-right, in the bottom right, in the lower right, in the bottom right corner, in the lower right corner, bottom right corner, lower right corner, at the bottom right, bottom-right corner, in the bottom-right corner, 右下角, 右下方, 右下, 画面右下角',
  },
  {
    place: { depth: 'far' },
    words:
      'in the background, in the distance, in the far distance, far away, far in the distance, on the horizon, at the horizon, in the far background, far off, distant, in background, background, at the back, beyond, 远处, 远方, 背景, 背景里, 背景中, 背景是, 地平线上, 天边, 远处的, 远远, 不远处, 后景, 在远处, 在背景中, 天际, 身后',
  },
  {
    place: { depth: 'near' },
    words:
      'in the foreground, up front, in front, foreground, at the front, in the front, in foreground, 前景, 近处, 前景中, 前面, 眼前, 最前面, 前方',
  },
]

/** Chinese words of position, which follow the noun to which they refer: 桌子上 ("on the table"). The
 *  longest matching word applies. */
export const localizerRows: Record<RelationKind, string> = {
  on: '上, 上面, 之上, 顶上, 表面, 背上, 身上, 头上, 顶, 顶端, 枝头',
  in: '里, 里面, 中, 内, 之中, 当中, 内部, 里边, 中央, 之间的, 深处, 丛中, 间',
  under: '下, 下面, 底下, 之下, 脚下, 下方, 下边',
  above: '上方, 上空, 的上方, 的上空, 之上方',
  behind: '后面, 后, 背后, 之后, 后方, 后边, 身后',
  'in-front-of': '前面, 前, 之前, 面前, 前方, 前边, 跟前, 门前, 身前',
  beside: '旁边, 旁, 边, 边上, 附近, 身边, 身旁, 一旁, 一侧, 侧面, 边缘, 畔, 侧, 脚边',
  'left-of': '左边, 左侧, 左面, 的左边, 的左侧, 左方',
  'right-of': '右边, 右侧, 右面, 的右边, 的右侧, 右方',
  between: '之间, 中间, 当中间',
  around: '周围, 四周, 周边, 周遭',
  riding: '',
  holding: '',
  wearing: '',
  carrying: '',
  chasing: '',
  facing: '',
  'printed-on': '',
}

/** Chinese verbs that mean that one thing is around another, such as 围绕着 ("surrounds"). */
export const aroundVerbs = '围绕, 围绕着, 环绕, 环绕着, 围着, 绕着, 簇拥, 簇拥着, 包围着, 包围, 围坐, 围坐在'

export const articles = {
  definite:
    'the, this, that, these, those, its, his, her, their, our, my, your, 这, 那, 这只, 那只, 这个, 那个, 它的, 他的, 她的, 其, 他们的, 此',
  indefinite: 'a, an, another, any, every, each, other, all, all the, 另一, 另, 每, 各, 所有, 全部, 某, 别的, 其他, 另外',
}

export const functionWords: Record<string, string> = {
  with: 'with, featuring a, having, has, have, containing, including, includes, plus, that has, which has, who has, with its, with their, with his, with her, holding out, equipped with, bearing, boasting, holds',
  'made-of':
    'shaped like, shaped as, made of, made out of, made from, built of, built from, carved from, carved out of, carved of, formed of, constructed of, constructed from, constructed out of, crafted from, crafted out of, composed of, woven from, woven out of, knitted from, knitted out of, knit from, crocheted from, built out of, made up of, made entirely of, made entirely out of, made completely of, sculpted from, sculpted out of, formed from, formed out of, fashioned from, fashioned out of, molded from, forged from, cast in, cut from, cut out of, folded from, folded out of, in the form of, 做的, 制成的, 做成的, 制成, 做成, 制作的, 打造的, 用',
  of: 'of',
  in: 'in',
  and: 'and, &, +, as well as, also, then, along with, 和, 与, 跟, 以及, 还有, 、, 及, 同, 并, 并且, 同时, 又, 加上, 也, 然后, 而且, 一起',
  or: 'or, 或, 或者',
  be: 'is, are, was, were, be, being, appears, looks, looks like, seems, which is, that is, who is, which are, that are, who are, there is, there are, there was, it is, it has been, has been, have been, becomes, turned, 是, 为, 变成, 呈, 呈现出, 成为, 显得, 就是',
  have: '有, 有着, 拥有, 带有, 长有, 长着, 带, 包含, 还有一, 配, 配有, 附有, 设有, 还有着, 出现',
  negation:
    "no, without, without any, not, free of, devoid of, with no, there are no, there is no, there are not any, don't, do not, don't include, do not include, no visible, excluding, except, minus, lacking, absence of, zero, never, avoid, nobody, 没有, 无, 不要, 没, 不含, 不带, 除了, 不见, 毫无, 不包含, 别, 不出现, 不能有, 不要有, 不要出现, 看不到",
  de: '的, 地, 之, 得',
  at: '在, 于, 从, 处在, 身处, 在那, 正在那, 来到, 朝, 朝着, 向, 对着, 对, 沿着, 往, 到, 靠着, 靠, 隔着, 处于',
  lettering:
    'that says, saying, says, that reads, reading, reads, with the text, with text, with the words, with the word, with the letters, labeled, labelled, titled, the text, the words, the word, text, lettering, inscribed with, written on it, written, spelling, that spells, spelling out, inscription, caption, captioned, with the sign, with a sign, with the title, with the name, which says, which reads, with the inscription, with the phrase, with the message, the message, the letters, letters, words, a caption, title, 写着, 上面写着, 写有, 文字, 字样, 标题, 标语, 题字, 刻着, 印着, 写了, 写上, 字, 大字, 几个字, 两个大字, 题着, 文字为, 标着, 内容是, 文字是',
  filler:
    "not more than, no more than, no fewer than, not less than, at most, at least, up to, exactly, that, which, who, whose, where, when, while, as, like, such as, just, only, even, still, some of, here, there, but, yet, if, than, for, during, after, until, about, its own, own, been, do, does, did, will, would, can, could, may, might, must, shall, should, to be, i, me, we, us, you, want, wants, would like, need, let, let's, can you, could you, i want, i'd like, give me, against the, each other, one another, together, away, back, along, apart, forward, off, out, around it, so that, because, since, though, although, too, either, both of, almost, nearly, around them, on it, in it, it's, that's, there's, whose name, named, called, known as, this is, time, moment, day's, thing, things, something, everything, anything, way, place, part, parts, side of, set of, set, lot, kind of, sort of, type of, style of, in the style of, inspired by, by artist, inspired, reminiscent of, a hint of, hint of, touch of, a touch of, sense of, a sense of, feeling of, in a style of, in style of, in the manner of, art style, aesthetic of, tones, tone, hues, hue, palette, color palette, colour palette, color scheme, colour scheme, colors, colours, color, colour, colored, coloured, scheme, accents, accent, shades of, shade, shades, fully, completely, partly, partially, mostly, mainly, entirely, gently, softly, slowly, quickly, happily, peacefully, quietly, brightly, proudly, gracefully, carefully, against it, once, twice, again, already, always, often, sometimes, meanwhile, however, therefore, finally, first, second, next, last, left over, except for, effect, effects, filter, surrounding area, area, spot, corner, section, portion, middle of, center of, centre of, edge of, top of, front of, end, end of, on either side, on both sides, each side, either side, on each side, nothing else, nothing, else, few more, more, most, less, least, much, enough, per, via it, own way, able, ready, about to, trying to, trying, try, begins to, starts to, seems to, looks to, beginning, start, starting, hour, hours, minute, minutes, year, years, year-old, week, weekend, today, yesterday, tomorrow, now, season, weather, sky color, sky is, day of, during the,  size, sized, shaped, shape, kind, depicted, depicts, drawn, painted, rendered, captured, shown, displayed in, presented, taken with, taken at, shot on, shot with, shot at, shot in, style photo, foreground and background, above it, below it, 的话, 了, 过, 吧, 呢, 啊, 呀, 吗, 把, 将, 让, 使, 给, 我, 你, 我们, 你们, 想, 要, 想要, 一下, 一起来, 就, 都, 还, 再, 只有, 仅, 仅有, 那么, 这么, 这样, 那样, 如, 像, 好像, 仿佛, 宛如, 如同, 似, 一般, 一样, 般, 似的, 样子, 时, 时候, 时分, 之时, 期间, 之际, 因为, 所以, 但, 但是, 而, 虽然, 如果, 以, 其中, 其他地方, 各种, 各式各样, 种种, 不同, 多种, 整个, 全, 满, 充满, 充满了, 充满着, 色调, 色系, 颜色, 调子, 为主, 主色调, 画风, 采用, 使用, 运用, 手法, 感觉, 感, 风, 类型, 样, 状, 形, 形状, 形态, 方式, 左右, 大约, 约, 差不多, 几乎, 已经, 曾经, 刚刚, 突然, 忽然, 互相, 相互, 彼此, 一边, 一面, 来, 去, 可以, 能, 会, 应该, 必须, 那里, 这里, 那儿, 这儿, 哪里, 什么, 某处, 一处, 地方, 处, 天, 季节, 季, 气候, 天气, 日子, 年, 月, 日, 画, 绘, 拍摄, 拍, 呈现着, 里的, 名为, 叫做, 叫, 名叫, 一种, 种类, 一点, 一丝, 些许, 稍微, 略带, 带点, 最, 更, 太, 真, 颇, 极了, 极, 够, 完全, 全部都, 大部分, 部分, 主要, 之类, 等等, 其余, 周围环境, 一旁的, 一侧的, 而成, 个个, 一切, 万物, 生活, 快乐地, 欢快地, 开心地, 静静地, 慢慢地, 轻轻地, 高高地, 紧紧, 紧紧地, 默默, 默默地, 仔细, 仔细地, 认真地, 专心, 专心地, 自由地, 悠闲地, 愉快地, 热情, 热情地, 一只只, 一个个, 一朵朵, 一排排, 一座座, 一片片, 边, 上, 下, 里, 中, 内, 外, 间, 前, 后, 旁, 出, 入, 回, 开, 所, 被, 由, 吹着, 迎着, 伴着, 伴随, 伴随着, 陪伴, 陪着, 着, 只, 个, 一, 它, 他, 她, 它们, 他们, 她们, 自己, 大家, 人物形象, 形象, 角色, 设计, 设计感, 感十足, 十足, 浓厚, 浓郁, 气息, 气氛, 韵味, 味道, 美感, 层次, 层次感, 立体感, 对比, 强烈, 冲击力, 视觉",
}

/** Pronouns that refer to a thing that the prompt has named before. */
export const pronouns = {
  single: 'it, him, her, itself, himself, herself, 它, 他, 她',
  plural: 'them, themselves, they, each other, one another, 它们, 他们, 她们',
}

export const abstractWords =
  'stripes pattern, lines pattern, vertical stripes pattern, vertical lines pattern, horizontal stripes pattern, horizontal lines pattern, diagonal stripes pattern, diagonal lines pattern, polka dots pattern, dots pattern, checks pattern, squares pattern, checkerboard pattern, zigzags pattern, waves pattern, abstract, abstract art, abstract composition, abstract background, abstract painting, abstract pattern, geometric, geometric shapes, geometric pattern, abstract shapes, swirls, pattern, patterns, gradient, fractal, fractals, shapes, brush strokes, brushstrokes, color field, colour field, splashes of color, splashes of colour, paint splashes, paint splatter, swirling colors, swirling colours, lines, curves, circles, triangles, squares, spirals, kaleidoscope, mandala, composition of, 抽象, 抽象画, 抽象艺术, 几何, 几何图形, 图案, 渐变, 几何图案, 抽象构图, 抽象图案, 色块, 线条, 曲线'

export const backdropWords = 'background, backdrop, backgrounds, wall background, studio wall, 背景, 底色, 底, 背景色, 背景板'
