/** Frames in Chinese of talks of work: how to do, what was done, what will be done, what is made. */
import type { Frame } from '../frame.ts'
import type { TopicKind } from '../topic.ts'

export const work: Readonly<Pick<Record<TopicKind, readonly Frame[]>, 'process' | 'report' | 'plan' | 'product'>> = {
  process: [
    {
      layout: 'points',
      title: '开始之前',
      points: ['目标：写下怎样才算做好', '材料：列出一次所需的用量', '工具：需要什么，谁有', '时间：总共多久，其中多少是等待'],
      notes: '根据自己的经验填写每一项。',
      rank: 1,
    },
    {
      layout: 'timeline',
      title: '一步一步来',
      steps: [
        { label: '1', title: '准备', text: '备齐、量好、放在手边' },
        { label: '2', title: '小试', text: '先做一小份，发现遗漏' },
        { label: '3', title: '动手', text: '按顺序做，记下每次改动' },
        { label: '4', title: '检查', text: '与最初的目标对照' },
        { label: '5', title: '改进', text: '一次只改一处' },
      ],
      notes: '把每一步换成“{s}”的具体步骤。',
      rank: 1,
    },
    {
      layout: 'columns',
      title: '常见问题与对策',
      columns: [
        { title: '出问题的征兆', points: ['某一步比上次慢得多', '两个人对同一步说法不同', '结果因人而异'] },
        { title: '怎么办', points: ['单独测量这一步', '把实际做法写下来', '请另一个人只按文字做一遍'] },
      ],
      notes: '讲一次失败的经历。',
      rank: 1,
    },
    {
      layout: 'points',
      title: '怎样判断成功',
      points: ['看：最后能看到什么', '测：可以量一量或试一试什么', '问：谁在使用，谁会察觉', '记：为下一次留下什么'],
      notes: '给出一个一分钟之内能完成的检查。',
      rank: 2,
    },
  ],
  report: [
    {
      layout: 'points',
      title: '这份报告回答什么',
      points: ['计划：当初说要做什么', '结果：实际做到了什么', '原因：差别从何而来', '决定：今天需要定下什么'],
      notes: '每项一句话，细节在后面。',
      rank: 1,
    },
    {
      layout: 'columns',
      title: '做得好的与要改进的',
      columns: [
        { title: '保持', points: ['有效的做法，谁的功劳', '意外的收获', '可以推广的经验'] },
        { title: '改进', points: ['没做好的事和最初的征兆', '得不偿失的投入', '不会再做的事'] },
      ],
      notes: '左右两栏写得一样多。',
      rank: 1,
    },
    {
      layout: 'table',
      title: '需要填入的数据',
      table: {
        head: ['数据', '来自哪里', '与什么比较'],
        rows: [
          ['收入', '本期账目', '计划与上一期'],
          ['支出', '本期账目', '计划与上一期'],
          ['完成的工作', '已完成事项清单', '当初的承诺'],
          ['使用者的反馈', '实际使用的人', '上一次的说法'],
        ],
      },
      notes: '这里没有编造任何数字，请填入自己的数据。',
      rank: 1,
    },
    {
      layout: 'timeline',
      title: '下一阶段',
      steps: [
        { label: '现在', title: '收尾', text: '本期未完成的事' },
        { label: '接着', title: '启动', text: '最重要的一件事' },
        { label: '期中', title: '检查', text: '与计划对照' },
        { label: '期末', title: '汇报', text: '用同样的指标' },
      ],
      notes: '在标签处写上日期。',
      rank: 1,
    },
    {
      layout: 'points',
      title: '需要留意的风险',
      points: ['近期：一个月内可能中断工作的事', '缓慢：每周变差一点的事', '外部：由他人决定的事', '盲区：没有测量的事'],
      notes: '写明由谁负责关注。',
      rank: 2,
    },
  ],
  plan: [
    {
      layout: 'points',
      title: '要达到的目标',
      points: ['目标：完成之后有什么不同', '对象：对谁有所不同', '衡量：用哪一个数字来判断', '边界：为此不做什么'],
      notes: '如果目标要两句话才能说清，那就是两个计划。',
      rank: 1,
    },
    {
      layout: 'columns',
      title: '我们的起点',
      columns: [
        { title: '已有的', points: ['懂行又愿意做的人', '可以再用的成果', '已经答应的伙伴'] },
        { title: '缺少的', points: ['要学习或引进的技能', '资金、场地、工具', '许可与承诺'] },
      ],
      notes: '右栏越具体，计划越可靠。',
      rank: 1,
    },
    {
      layout: 'timeline',
      title: '实施步骤',
      steps: [
        { label: '第一阶段', title: '准备', text: '目标、人员与沟通' },
        { label: '第二阶段', title: '试点', text: '一小部分，从头到尾' },
        { label: '第三阶段', title: '推进', text: '试点证明可行的部分' },
        { label: '第四阶段', title: '交付', text: '交给长期负责的人' },
      ],
      notes: '为每个阶段写上日期和负责人。',
      rank: 1,
    },
    {
      layout: 'table',
      title: '分工',
      table: {
        head: ['职责', '负责什么', '怎样算完成'],
        rows: [
          ['统筹', '目标与先后次序', '每个问题都有人负责'],
          ['执行', '成果本身', '使用者已经试用'],
          ['财务', '花费与去向', '账目与计划一致'],
          ['沟通', '谁在何时知道什么', '没有人感到意外'],
        ],
      },
      notes: '每行写一个名字。',
      rank: 2,
    },
    {
      layout: 'points',
      title: '可能的问题',
      points: ['过多：承担的事超过能完成的', '过晚：关键一步推迟', '过少：一个人离开就带走了经验', '不合意：使用者想要的是别的'],
      notes: '每一项写明最初的征兆。',
      rank: 2,
    },
  ],
  product: [
    {
      layout: 'points',
      title: '要解决的问题',
      points: ['谁：一位具体的使用者', '何时：问题最棘手的时刻', '现在：目前怎样应对', '代价：为此付出什么'],
      notes: '讲成这个人的故事。',
      rank: 1,
    },
    {
      layout: 'timeline',
      title: '使用的一天',
      steps: [
        { label: '最初', title: '遇见', text: '怎样得知' },
        { label: '接着', title: '上手', text: '第一分钟，无需帮助' },
        { label: '后来', title: '依赖', text: '不再手工去做的事' },
        { label: '最后', title: '推荐', text: '会对朋友说什么' },
      ],
      notes: '能演示就不要只讲。',
      rank: 1,
    },
    {
      layout: 'columns',
      title: '能做与不做',
      columns: [
        { title: '能做', points: ['最擅长的一件事', '与别家同样好的事', '第一天就方便的事'] },
        { title: '不做', points: ['有意舍弃的功能', '需要搭配别的东西', '不适合的人'] },
      ],
      notes: '坦诚右栏，左栏才可信。',
      rank: 1,
    },
    {
      layout: 'points',
      title: '凭什么相信',
      points: ['使用者：他们的原话', '试验：测了什么，怎么测', '团队：为什么是我们', '承诺：不满意时怎么办'],
      notes: '至少准备两项证据。',
      rank: 1,
    },
  ],
}
