/** Proportions and looks of four-legged animals. Lengths in units: 100 is the height to the top
 *  of the head when standing. */
export interface Species {
  /** Length from chest to rump, thickness, and height of the belly line above the ground (leg
   *  length). */
  length: number
  depth: number
  legs: number
  legWidth: number
  /** Neck length and its lean in degrees from upright towards the front. */
  neck: number
  neckLean: number
  neckWidth: number
  head: HeadKind
  headWidth: number
  headHeight: number
  ears: 'pointed' | 'round' | 'long' | 'floppy' | 'leaf' | 'tufted' | 'none'
  earSize: number
  tail: 'bushy' | 'thin' | 'tuft' | 'horse' | 'short' | 'curly' | 'puff' | 'ringed' | 'squirrel' | 'pompom' | 'none'
  coat: string
  belly: string
  /** Lower legs. */
  socks: string
  /** Hooved feet of this colour; paws when absent. */
  hoof?: string | undefined
  muzzle: string
  nose: string
  inner: string
  tailTip: string
  markings: Marking[]
  horns?: 'antlers' | 'moose' | 'horns' | 'bull' | 'ibex' | 'unicorn' | 'tusks' | 'ossicones' | 'ram' | undefined
  mane?: 'lion' | 'horse' | 'zebra' | 'boar'
  maneColour?: string
  wings?: boolean
  /** True for an elephant with a raised trunk that sprays water. */
  isSpraying?: boolean
}

type HeadKind =
  | 'canine'
  | 'feline'
  | 'bear'
  | 'rodent'
  | 'equine'
  | 'bovine'
  | 'deer'
  | 'sheep'
  | 'pig'
  | 'elephant'
  | 'koala'
  | 'giraffe'
  | 'rabbit'
  | 'monkey'

type Marking =
  | 'stripes'
  | 'zebra'
  | 'rosettes'
  | 'patches'
  | 'fawn'
  | 'giraffe'
  | 'wool'
  | 'panda'
  | 'fox'
  | 'wolf'
  | 'tabby'
  | 'mask'
  | 'saddle'
  | 'blaze'
  | 'spots'
  | 'dots'
  | 'calico'
  | 'curls'
  | 'feathered'
  | 'poodle'
  | 'badger'
  | 'skunk'
  | 'sloth'
  | 'plates'
  | 'quills'
