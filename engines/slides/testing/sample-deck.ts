import type { Slide } from '@generation-gateway/kit/requests/slides.ts'

/** One slide of every layout, with typical contents. */
export const sampleSlides: readonly Slide[] = [
  {
    layout: 'title',
    title: 'A harbour that runs on the tide',
    subtitle: 'How a small port can move without diesel',
    points: [],
    notes: 'Welcome, and who we are.',
  },
  {
    layout: 'agenda',
    title: 'Agenda',
    points: ['Where we are', 'What the tide gives', 'Three ways to use it', 'What it takes', 'Next steps'],
  },
  { layout: 'section', title: 'What the tide gives', subtitle: 'Part one', points: [] },
  {
    layout: 'points',
    title: 'Why a tidal mill fits this harbour',
    points: [
      'Steady: the tide comes twice a day, whatever the weather does',
      'Near: the basin already has a wall and two gates',
      'Quiet: the wheel turns slowly and under water',
      'Shared: what is left over warms the fish hall',
    ],
    notes: 'Say that the gates are from the old shipyard.',
  },
  {
    layout: 'points',
    title: 'What we have learned so far',
    points: [
      'The old gates still close',
      'Silt is a matter of two days a year',
      'The town wants to see how it works',
      'Nobody has asked the fishermen yet',
    ],
    source: 'Notes of the walk with the harbour master',
  },
  {
    layout: 'columns',
    title: 'Two ways to store what the basin gives',
    points: [],
    columns: [
      { title: 'Batteries', points: ['Ready within a second', 'Bought in a box', 'Wear out and must be renewed'] },
      { title: 'A second basin', points: ['Lasts as long as the wall', 'Also a place for boats', 'Needs room and a permit'] },
    ],
  },
  {
    layout: 'quote',
    title: 'What it is about',
    points: [],
    quote: { text: 'The sea does half of the work; we only have to open the gate at the right time.', by: 'A miller, in our interview' },
  },
  {
    layout: 'figures',
    title: 'The basin in numbers',
    points: [],
    figures: [
      { label: 'tides a day', value: '2' },
      { label: 'metres between high and low water', value: '4.2 m' },
      { label: 'boats at the quay', value: '118' },
    ],
  },
  {
    layout: 'picture',
    title: 'The gate at low water',
    points: ['The sill lies dry for two hours', 'Stones are set without mortar', 'One leaf was replaced'],
    picture: 'an old wooden lock gate at low water',
  },
  {
    layout: 'chart',
    title: 'Boats at the quay',
    points: ['Summer is full', 'In winter every second berth is free'],
    chart: {
      kind: 'bar',
      labels: ['Spring', 'Summer', 'Autumn', 'Winter'],
      series: [
        { name: 'This year', values: [64, 118, 80, 55] },
        { name: 'Last year', values: [60, 101, 84, 49] },
      ],
    },
  },
  {
    layout: 'chart',
    title: 'Where they come from',
    points: [],
    chart: { kind: 'pie', labels: ['Town', 'Coast', 'Abroad'], series: [{ name: 'Boats', values: [70, 34, 14] }] },
  },
  {
    layout: 'chart',
    title: 'Water level over a tide',
    points: [],
    chart: {
      kind: 'line',
      labels: ['0 h', '2 h', '4 h', '6 h', '8 h', '10 h', '12 h'],
      series: [{ name: 'Level', values: [0.4, 1.6, 3.5, 4.6, 3.4, 1.5, 0.5] }],
      unit: 'm',
    },
  },
  {
    layout: 'table',
    title: 'What each way asks for',
    points: [],
    table: {
      head: ['Way', 'Room', 'Who decides', 'What can go wrong'],
      rows: [
        ['Wheel in the gate', 'none', 'the town', 'driftwood stops the wheel'],
        ['Turbine in the wall', 'a niche', 'the county', 'the wall is older than its drawings'],
        ['Floating mill', 'one berth', 'the harbour master', 'it moves with the boats'],
      ],
    },
  },
  {
    layout: 'timeline',
    title: 'From here to the first turn of the wheel',
    points: [],
    steps: [
      { label: 'Phase 1', title: 'Listen', text: 'Fishermen, neighbours and the harbour master' },
      { label: 'Phase 2', title: 'Measure', text: 'Levels at the gate over one whole month' },
      { label: 'Phase 3', title: 'Build', text: 'The wheel in the workshop, the frame at the gate' },
      { label: 'Phase 4', title: 'Open', text: 'With everybody at the quay' },
    ],
  },
  { layout: 'closing', title: 'Come to the gate', subtitle: 'Thursday, at low water', points: [] },
]
