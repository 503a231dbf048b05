/** Additional slide templates (frames) for some kinds of talk, in English and Chinese. Most are
 *  tables and example charts. */
import type { Frame } from '../frame.ts'
import type { TopicKind } from '../topic.ts'
import { exampleChart, points, steps, table } from './make.ts'

type Extra = Readonly<Partial<Record<TopicKind, readonly Frame[]>>>

const example = 'example numbers, to be replaced by your own'
const exampleInChinese = '示例数字，请换成自己的数据'

export const englishExtra: Extra = {
  comparison: [
    table(
      1,
      'A score sheet to fill together',
      'Everybody scores alone first; talk about the rows where you differ most.',
      'Criterion | Weight, 1 to 3 | {s}, 1 to 5 | {o}, 1 to 5',
      'Fits what we need it for | 3 | ___ | ___',
      'Cost over its whole life | 2 | ___ | ___',
      'Easy to begin with | 1 | ___ | ___',
      'Safe when something fails | 2 | ___ | ___',
      'Easy to leave later | 1 | ___ | ___',
    ),
    exampleChart(2, 'How the result can look', 'The chart takes the numbers of your score sheet: change them by a right click.', {
      example,
      kind: 'bar',
      labels: ['Purpose', 'Cost', 'Start', 'Safety', 'Exit'],
      series: { '{s}': [80, 60, 40, 80, 60], '{o}': [60, 80, 80, 60, 40] },
      lines: ['Look at the shape, not at the sum', 'Where both are level, the criterion does not help'],
    }),
  ],
  report: [
    points(
      1,
      'The message in three sentences',
      'If there is time for one page only, it is this one.',
      'Where we are: one number, beside what we had promised',
      'Why: the one reason that explains most of the difference',
      'What we do: the decision that follows, and who takes it',
    ),
    exampleChart(1, 'Plan and result', 'Put your own months in; keep the plan beside the result, or nobody can judge it.', {
      example,
      kind: 'line',
      labels: ['Month 1', 'Month 2', 'Month 3', 'Month 4', 'Month 5', 'Month 6'],
      series: { Plan: [50, 55, 60, 65, 70, 75], Result: [46, 52, 63, 61, 72, 79] },
      lines: ['Say where the lines part, and why', 'One mark for each event that mattered'],
    }),
  ],
  plan: [
    table(
      2,
      'Milestones',
      'A milestone is something that one can see, not an activity.',
      'Milestone | Can be seen by | Who | When',
      'Decision to begin | A signed budget | ___ | ___',
      'First trial | Somebody outside has used it | ___ | ___',
      'Half-way | The measure has moved | ___ | ___',
      'Handed over | The new owner runs it alone | ___ | ___',
    ),
  ],
  product: [
    table(
      1,
      'Today, and with {s}',
      'Fill the middle from talks with users, the right from the trial.',
      'Moment | Today | With {s}',
      'Before | They look for a way, and ask around | They know where to begin',
      'The first time | They need help | They get to a result alone',
      'Every day | It costs attention | It runs beside the work',
      'When it fails | They begin again | They go one step back',
    ),
    steps(
      2,
      'The road of the product',
      'Promise the next step only; the rest is direction.',
      'Now | Proof | A few users who would miss it',
      'Next | Product | Anybody can begin without us',
      'Later | Growth | Users bring users',
    ),
  ],
  lesson: [
    table(
      2,
      'What is often mixed up',
      'Collect what the group believes first, then look it up together.',
      'People say | Ask | Where to check',
      'It has always been so | Since when, and how is it known? | A textbook and its sources',
      'It is always so | When is it not? | An example that does not fit',
      'One thing causes the other | Could both have a third cause? | A study that compares',
    ),
  ],
}

export const chineseExtra: Extra = {
  comparison: [
    table(
      1,
      '一起填写的评分表',
      '先各自打分，再讨论差别最大的几行。',
      '标准 | 权重 1–3 | {s} 1–5 | {o} 1–5',
      '符合用途 | 3 | ___ | ___',
      '全程花费 | 2 | ___ | ___',
      '容易上手 | 1 | ___ | ___',
      '出错时安全 | 2 | ___ | ___',
      '以后容易更换 | 1 | ___ | ___',
    ),
    exampleChart(2, '结果可以这样看', '图表用评分表的数字，右键即可修改。', {
      example: exampleInChinese,
      kind: 'bar',
      labels: ['用途', '花费', '上手', '安全', '更换'],
      series: { '{s}': [80, 60, 40, 80, 60], '{o}': [60, 80, 80, 60, 40] },
      lines: ['看形状，不只看总分', '两者一样高的标准帮不上忙'],
    }),
  ],
  report: [
    points(
      1,
      '三句话说清楚',
      '如果只有一页的时间，就讲这一页。',
      '现状：一个数字，旁边是当初的承诺',
      '原因：最能解释差别的那一个',
      '行动：由此作出的决定，由谁负责',
    ),
    exampleChart(1, '计划与结果', '换成自己的月份；计划要放在结果旁边。', {
      example: exampleInChinese,
      kind: 'line',
      labels: ['1月', '2月', '3月', '4月', '5月', '6月'],
      series: { 计划: [50, 55, 60, 65, 70, 75], 结果: [46, 52, 63, 61, 72, 79] },
      lines: ['指出两条线在哪里分开，为什么', '标出真正重要的事件'],
    }),
  ],
  plan: [
    table(
      2,
      '里程碑',
      '里程碑是看得见的结果，不是活动。',
      '里程碑 | 怎样看得出 | 负责人 | 时间',
      '决定启动 | 预算已签字 | ___ | ___',
      '首次试用 | 外部的人用过 | ___ | ___',
      '中期 | 指标有了变化 | ___ | ___',
      '移交 | 接手者能独立运行 | ___ | ___',
    ),
  ],
  product: [
    table(
      1,
      '现在，与有了{s}之后',
      '中间一栏来自用户访谈，右边一栏来自试用。',
      '时刻 | 现在 | 有了{s}',
      '之前 | 到处打听办法 | 知道从哪里开始',
      '第一次 | 需要别人帮忙 | 自己就能做出结果',
      '每一天 | 占用精力 | 在工作旁边运行',
      '出错时 | 从头再来 | 退回一步',
    ),
    steps(
      2,
      '产品的路',
      '只承诺下一步，其余是方向。',
      '现在 | 验证 | 少数离不开它的用户',
      '接下来 | 产品 | 任何人都能自己开始',
      '以后 | 增长 | 用户带来用户',
    ),
  ],
  lesson: [
    table(
      2,
      '容易混淆的说法',
      '先收集大家的看法，再一起查证。',
      '常听到 | 可以问 | 到哪里查',
      '一直都是这样 | 从什么时候起，怎么知道的？ | 教科书及其出处',
      '总是这样 | 什么时候不是？ | 一个不符合的例子',
      '一个导致另一个 | 会不会有共同的原因？ | 做过对照的研究',
    ),
  ],
}
