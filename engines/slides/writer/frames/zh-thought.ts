/** Frames in Chinese of talks that ask: what to choose, why, how to learn, what follows. */
import type { Frame } from '../frame.ts'
import type { TopicKind } from '../topic.ts'

export const thought: Readonly<Pick<Record<TopicKind, readonly Frame[]>, 'comparison' | 'question' | 'lesson' | 'effect'>> = {
  comparison: [
    {
      layout: 'points',
      title: '比较什么',
      points: [
        '目的：各自最擅长的一件事',
        '投入：起步与坚持各需要什么',
        '成本：金钱、时间与精力',
        '风险：失败时会怎样',
        '转换：以后更换有多难',
        '人：谁必须认可',
      ],
      notes: '从中选三项，并说明其余为何次要。',
      rank: 1,
    },
    {
      layout: 'columns',
      title: '各自适合的场合',
      columns: [
        { title: '{s}', points: ['非它不可的情形', '一位满意的使用者和理由', '在什么条件下会放弃'] },
        { title: '{o}', points: ['非它不可的情形', '一位满意的使用者和理由', '在什么条件下会放弃'] },
      ],
      notes: '每一行举一个真实的例子。',
      rank: 1,
    },
    {
      layout: 'timeline',
      title: '如何作出选择',
      steps: [
        { label: '1', title: '明确用途', text: '一个用途，一个使用者' },
        { label: '2', title: '定三条标准', text: '在比较之前定' },
        { label: '3', title: '都试一试', text: '同一任务，同一天' },
        { label: '4', title: '决定', text: '并约定何时复查' },
      ],
      notes: '先定标准再试用，以免偏向自己喜欢的一方。',
      rank: 1,
    },
  ],
  question: [
    {
      layout: 'points',
      title: '问题究竟是什么',
      points: ['词义：今天所说的“{s}”指什么', '范围：何时、何地、对谁', '用处：有了答案会怎么做', '依据：什么样的答案能让人信服'],
      notes: '多数分歧来自问题本身。',
      rank: 1,
    },
    {
      layout: 'columns',
      title: '正反两面',
      columns: [
        { title: '支持的理由', points: ['最有力的一条', '谁说的，依据是什么', '如果成立，会怎样'] },
        { title: '反对的理由', points: ['最有力的一条', '谁说的，依据是什么', '如果成立，会怎样'] },
      ],
      notes: '请持不同意见的人填写另一栏。',
      rank: 1,
    },
    {
      layout: 'timeline',
      title: '怎样寻找答案',
      steps: [
        { label: '1', title: '猜', text: '每人先写下答案' },
        { label: '2', title: '查', text: '两份互不引用的资料' },
        { label: '3', title: '试', text: '亲自验证一件事' },
        { label: '4', title: '答', text: '并说明有多大把握' },
      ],
      notes: '最后与最初的猜测对照。',
      rank: 1,
    },
  ],
  lesson: [
    {
      layout: 'points',
      title: '学完之后能够',
      points: ['用自己的话说明什么是{s}', '举一个例子和一个反例', '在帮助下使用一次', '知道去哪里继续学习'],
      notes: '课程结束时再回到这一页。',
      rank: 1,
    },
    {
      layout: 'timeline',
      title: '学习的过程',
      steps: [
        { label: '1', title: '观察', text: '先看一个例子' },
        { label: '2', title: '命名', text: '认识相关的词语' },
        { label: '3', title: '尝试', text: '换一个例子自己做' },
        { label: '4', title: '讲解', text: '讲给没听课的人' },
      ],
      notes: '每一步以一个问题结束。',
      rank: 1,
    },
    {
      layout: 'columns',
      title: '练习',
      columns: [
        { title: '独自完成', points: ['写一句关于{s}的话', '不用文字，画出来', '标出不确定的地方'] },
        { title: '一起完成', points: ['比较各自的图', '找出一处不同', '查证并说明出处'] },
      ],
      notes: '十分钟，巡视并倾听。',
      rank: 1,
    },
    {
      layout: 'points',
      title: '自我检查',
      points: ['用一句话说，什么是{s}？', '哪一部分是新的？', '明天会用在哪里？', '接下来想问什么？'],
      notes: '收集最后一个问题，作为下节课的开头。',
      rank: 1,
    },
  ],
  effect: [
    {
      layout: 'points',
      title: '谁会受到影响',
      points: ['首先：直接接触{s}的人', '其次：依靠他们的人', '以后：不知不觉受益或付出的人', '不受影响：常被误以为受影响的人'],
      notes: '每一项写出真实的人群。',
      rank: 1,
    },
    {
      layout: 'columns',
      title: '近期与长远',
      columns: [
        { title: '一年之内', points: ['最先改变的事', '还能挽回的事', '等待的代价'] },
        { title: '一代人之后', points: ['会变得平常的事', '无法挽回的事', '没有人计划到的事'] },
      ],
      notes: '说明哪些是已知的，哪些是推测。',
      rank: 1,
    },
    {
      layout: 'points',
      title: '怎样分辨影响与巧合',
      points: ['前与后：测量方法相同吗', '有与无：有没有不存在{s}的地方', '多与少：越多影响越大吗', '其他原因：同时还有什么变化'],
      notes: '用一个自己的数据逐条检查。',
      rank: 1,
    },
    {
      layout: 'points',
      title: '可以做些什么',
      points: ['个人：这一周就能改变的事', '共同：需要约定的事', '制度：需要法规或标准的事'],
      notes: '以第一项结束。',
      rank: 2,
    },
  ],
}
