/** The frames of each kind of talk in Chinese. */
import type { Frame } from './frame.ts'
import type { TopicKind } from './topic.ts'

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

export const chineseFrames: Readonly<Record<TopicKind, readonly Frame[]>> = {
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

/** For decks that are longer than what their kind fills. */
export const commonChinese: readonly Frame[] = [
  {
    layout: 'picture',
    title: '仔细看一看',
    points: ['最先看到了什么？', '画面里缺少什么？', '在这之前发生了什么？'],
    picture: '{s}',
    notes: '在此放一张照片，或由网关绘制。',
    rank: 2,
  },
  {
    layout: 'points',
    title: '带走三件事',
    points: ['记住：最值得记住的一句话', '存疑：转述之前要查证的说法', '行动：最小的下一步'],
    notes: '请听众自己说出这三件事。',
    rank: 2,
  },
  {
    layout: 'timeline',
    title: '下一步',
    steps: [
      { label: '今天', title: '提问', text: '还没有问出口的问题' },
      { label: '本周', title: '查证', text: '一份关于{s}的资料' },
      { label: '本月', title: '尝试', text: '与别人一起做一件小事' },
    ],
    notes: '约定由谁来做。',
    rank: 1,
  },
  {
    layout: 'points',
    title: '请大家讨论',
    points: ['什么让你感到意外？', '你的看法有何不同？', '还应该有谁在场？', '接下来想知道什么？'],
    notes: '每个问题之后等十秒。',
    rank: 3,
  },
]
