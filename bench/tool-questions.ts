/** Questions for `npm run bench -- tools`: for some, one of the declared tools gives the answer;
 *  others need no tool. */
import type { TextTool } from '@generation-gateway/kit/requests/text.ts'

export interface ToolQuestion {
  /** Name of the question's tools in `toolSets`. */
  set: keyof typeof toolSets
  question: string
  /** The tool that gives the answer; undefined for a question that needs none. */
  tool: string | undefined
}

type Properties = Record<string, { type: string; description?: string; enum?: string[]; items?: { type: string } }>

function tool(name: string, description: string, properties: Properties, required = Object.keys(properties)): TextTool {
  return { kind: 'function', name, description, parameters: { type: 'object', properties, required } }
}

const text = (description: string): Properties[string] => ({ type: 'string', description })

/** Sets of four related tools, such as an assistant has. */
export const toolSets = {
  home: [
    tool(
      'get_weather',
      'Get the current weather in a city.',
      { city: text('Name of the city'), unit: { type: 'string', enum: ['celsius', 'fahrenheit'] } },
      ['city'],
    ),
    tool('calculate', 'Evaluate an arithmetic expression exactly.', { expression: text('Such as 2 * (3 + 4)') }),
    tool('set_timer', 'Start a timer that rings after some minutes.', { minutes: { type: 'number' }, label: text('What it is for') }, [
      'minutes',
    ]),
    tool('get_time', 'Get the current local time of a place.', { timezone: text('IANA time zone, such as Europe/Oslo') }),
  ],
  office: [
    tool('send_email', 'Send an email.', { to: text('Address'), subject: text('Subject line'), body: text('Text of the email') }),
    tool('create_event', 'Add an event to the calendar.', { title: text('Title'), date: text('YYYY-MM-DD'), time: text('HH:MM') }, [
      'title',
      'date',
    ]),
    tool('list_events', 'List the events of a day in the calendar.', { date: text('YYYY-MM-DD') }),
    tool('search_contacts', 'Find people in the address book by name.', { name: text('Name or part of it') }),
  ],
  work: [
    tool('read_file', 'Read a file of the project and return its text.', { path: text('Path of the file') }),
    tool('list_directory', 'List the files in a directory.', { path: text('Path of the directory') }),
    tool('run_command', 'Run a shell command and return its output.', { command: text('The command line') }),
    tool('search_web', 'Search the web and return the best pages.', { query: text('What to look for'), limit: { type: 'integer' } }, [
      'query',
    ]),
  ],
} satisfies Record<string, TextTool[]>

/** System prompts that precede the question: none, a single line, a persona, and the rules of an
 *  agent. */
export const systemPrompts: readonly (string | undefined)[] = [
  undefined,
  'You are a helpful assistant.',
  'You are Ada, the friendly assistant of a small company. You are polite and brief, and you never make things up.',
  'You are an autonomous agent. Think about what the user wants and use the tools you are given whenever they can do it or bring the facts.\nToday is 2025-11-21. Answer in the language of the user.',
]

export const questions: readonly ToolQuestion[] = [
  { set: 'home', question: 'What is the weather in Paris?', tool: 'get_weather' },
  { set: 'home', question: "What's the weather like in Tokyo right now, in fahrenheit?", tool: 'get_weather' },
  { set: 'home', question: 'Do I need an umbrella in London today?', tool: 'get_weather' },
  { set: 'home', question: 'What is 1234 * 5678?', tool: 'calculate' },
  { set: 'home', question: 'Calculate (17.5 + 22.3) / 4 for me.', tool: 'calculate' },
  { set: 'home', question: 'Set a timer for 10 minutes for the pasta.', tool: 'set_timer' },
  { set: 'home', question: 'What time is it in New York?', tool: 'get_time' },
  { set: 'home', question: 'How late is it in Oslo now?', tool: 'get_time' },
  {
    set: 'office',
    question: 'Send an email to bob@example.com with the subject Lunch and the text "Shall we eat at noon?"',
    tool: 'send_email',
  },
  { set: 'office', question: 'Write to anna@example.com that the meeting is moved to Friday.', tool: 'send_email' },
  { set: 'office', question: 'Put a dentist appointment into my calendar on 2025-12-03 at 14:30.', tool: 'create_event' },
  { set: 'office', question: 'Add "Team dinner" to my calendar for 2025-12-12 at 19:00.', tool: 'create_event' },
  { set: 'office', question: 'What is on my calendar on 2025-11-25?', tool: 'list_events' },
  { set: 'office', question: 'Do I have any meetings on 2026-01-15?', tool: 'list_events' },
  { set: 'office', question: 'Look up Maria Lopez in my contacts.', tool: 'search_contacts' },
  { set: 'office', question: 'What is the phone number of John Smith?', tool: 'search_contacts' },
  { set: 'work', question: 'What does the file README.md say?', tool: 'read_file' },
  { set: 'work', question: 'Open src/main.py and show me what is in it.', tool: 'read_file' },
  { set: 'work', question: 'Which files are in the folder docs?', tool: 'list_directory' },
  { set: 'work', question: 'List everything in /etc/nginx.', tool: 'list_directory' },
  { set: 'work', question: 'Run the tests with npm test.', tool: 'run_command' },
  { set: 'work', question: 'Show me the git status.', tool: 'run_command' },
  { set: 'work', question: 'Search the web for the latest news about the James Webb telescope.', tool: 'search_web' },
  { set: 'work', question: 'Find me some recipes for apple pie on the internet.', tool: 'search_web' },
]

export const plainQuestions: readonly ToolQuestion[] = [
  { set: 'home', question: 'Write a haiku about the sea.', tool: undefined },
  { set: 'home', question: 'What is 2+2?', tool: undefined },
  { set: 'home', question: 'Hello! How are you?', tool: undefined },
  { set: 'office', question: 'What is the capital of France?', tool: undefined },
  { set: 'office', question: 'Translate "good morning" into Spanish.', tool: undefined },
  { set: 'office', question: 'Thank you, that was all.', tool: undefined },
  { set: 'work', question: 'Explain what a linked list is in two sentences.', tool: undefined },
  { set: 'work', question: 'Write a Python function that reverses a string.', tool: undefined },
]
