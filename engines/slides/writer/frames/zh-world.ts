/** Frames in Chinese of talks of the world: what was, who, where, what lives, what happens, what is. */
import type { Frame } from '../frame.ts'
import type { TopicKind } from '../topic.ts'

const thing: readonly Frame[] = [
  {
    layout: 'points',
    title: '值得思考的问题',
    points: [
      '用途：谁在使用{s}，用来做什么',
      '从前：没有{s}的时候，人们怎么办',
      '内部：{s}由哪些部分构成，怎样运作',
      '以后：{s}将来会有怎样的变化',
    ],
    notes: '挑选听众最关心的一个问题展开。',
    rank: 1,
  },
  {
    layout: 'columns',
    title: '两个方面',
    columns: [
      { title: '带来什么', points: ['哪些事情变得更容易', '谁从中受益', '从什么时候开始'] },
      { title: '付出什么', points: ['金钱、空间与精力', '由谁来承担', '为此放弃了什么'] },
    ],
    notes: '每一行举一个真实的例子。',
    rank: 1,
  },
  {
    layout: 'points',
    title: '进一步了解',
    points: ['看：去一个能亲眼见到的地方', '问：请教每天与它打交道的人', '读：一份今年的资料，一份多年前的资料'],
    notes: '写明地点、人名和资料出处。',
    rank: 2,
  },
]

export const world: Readonly<
  Pick<Record<TopicKind, readonly Frame[]>, 'history' | 'person' | 'place' | 'living' | 'nature' | 'thing' | 'idea'>
> = {
  history: [
    {
      layout: 'points',
      title: '向过去提问',
      points: ['之前：没有{s}时人们怎么做', '开端：谁、在哪里、为了什么', '转折：哪一刻改变最大', '今天：最初的样子还留下什么'],
      notes: '每个问题用一份注明年代的资料回答。',
      rank: 1,
    },
    {
      layout: 'timeline',
      title: '时间线（请填入年代）',
      steps: [
        { label: '之前', title: '需要', text: '早已存在的需求' },
        { label: '开端', title: '最早的痕迹', text: '最早提到它的资料' },
        { label: '传播', title: '由少到多', text: '走过的路' },
        { label: '转折', title: '大的变化', text: '此后有何不同' },
        { label: '现在', title: '今天', text: '古人会不认识的地方' },
      ],
      notes: '这里没有查证，因此不写年代，请自行填入。',
      rank: 1,
    },
    {
      layout: 'points',
      title: '可以寻找的资料',
      points: ['实物：博物馆里能看到什么', '文字：书信、法令、账目、报纸', '地点：至今还在的遗迹', '人：谁还记得'],
      notes: '每一类准备一件。',
      rank: 2,
    },
  ],
  person: thing,
  place: thing,
  living: thing,
  nature: thing,
  thing,
  idea: thing,
}
