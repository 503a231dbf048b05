/** What eSpeak NG does not read as people do: dates, times, money, units, abbreviations, signs. Plain and decimal numbers, percent and emoji it reads itself. */
import type { SpokenLanguage } from '../plan.ts'

export type ESpeakLanguage = Exclude<SpokenLanguage, 'en' | 'zh'>

interface Words {
  months: string
  /** Day, month and year of a date. */
  date(day: string, month: string, year: string): string
  time(hours: string, minutes: string): string
  and: string
  to: string
  minus: string
  signs: Record<string, string>
  /** One, many. */
  money: Record<string, [one: string, many: string]>
  units: Record<string, string>
  abbreviations: Record<string, string>
}

const words: Record<ESpeakLanguage, Words> = {
  es: {
    months: 'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre',
    date: (day, month, year) => `${day} de ${month} de ${year}`,
    time: (hours, minutes) => (minutes === '00' ? `${hours} en punto` : `${hours} y ${minutes}`),
    and: 'con',
    to: 'a',
    minus: 'menos',
    signs: {
      '&': 'y',
      '@': 'arroba',
      '+': 'más',
      '=': 'igual a',
      '#': 'almohadilla',
      '/': 'barra',
      '°': 'grados',
      '<': 'menor que',
      '>': 'mayor que',
      '*': 'por',
      '×': 'por',
      '~': 'unos',
      _: 'guion bajo',
      '\\': 'barra invertida',
      '|': 'barra',
    },
    money: { '€': ['euro', 'euros'], $: ['dólar', 'dólares'], '£': ['libra', 'libras'], '¥': ['yen', 'yenes'] },
    units: {
      km: 'kilómetros',
      m: 'metros',
      cm: 'centímetros',
      mm: 'milímetros',
      kg: 'kilos',
      g: 'gramos',
      mg: 'miligramos',
      l: 'litros',
      ml: 'mililitros',
      'km/h': 'kilómetros por hora',
      '°C': 'grados',
      h: 'horas',
      min: 'minutos',
      s: 'segundos',
      GB: 'gigabytes',
      MB: 'megabytes',
    },
    abbreviations: {
      'Sr.': 'señor',
      'Sra.': 'señora',
      'Srta.': 'señorita',
      'Dr.': 'doctor',
      'Dra.': 'doctora',
      'Ud.': 'usted',
      'Uds.': 'ustedes',
      'etc.': 'etcétera',
      'p. ej.': 'por ejemplo',
      'EE. UU.': 'Estados Unidos',
      'pág.': 'página',
      'núm.': 'número',
      'D.': 'don',
      'av.': 'avenida',
    },
  },
  fr: {
    months: 'janvier février mars avril mai juin juillet août septembre octobre novembre décembre',
    date: (day, month, year) => `${day === '1' ? 'premier' : day} ${month} ${year}`,
    time: (hours, minutes) => `${hours} heures${minutes === '00' ? '' : ` ${minutes}`}`,
    and: 'et',
    to: 'à',
    minus: 'moins',
    signs: {
      '&': 'et',
      '@': 'arobase',
      '+': 'plus',
      '=': 'égale',
      '#': 'dièse',
      '/': 'barre',
      '°': 'degrés',
      '<': 'inférieur à',
      '>': 'supérieur à',
      '*': 'fois',
      '×': 'fois',
      '~': 'environ',
      _: 'tiret bas',
      '\\': 'barre inverse',
      '|': 'barre',
    },
    money: { '€': ['euro', 'euros'], $: ['dollar', 'dollars'], '£': ['livre', 'livres'], '¥': ['yen', 'yens'] },
    units: {
      km: 'kilomètres',
      m: 'mètres',
      cm: 'centimètres',
      mm: 'millimètres',
      kg: 'kilos',
      g: 'grammes',
      mg: 'milligrammes',
      l: 'litres',
      ml: 'millilitres',
      'km/h': 'kilomètres à l’heure',
      '°C': 'degrés',
      min: 'minutes',
      s: 'secondes',
      Go: 'gigaoctets',
      Mo: 'mégaoctets',
    },
    abbreviations: {
      'M.': 'monsieur',
      'MM.': 'messieurs',
      Mme: 'madame',
      Mlle: 'mademoiselle',
      Mmes: 'mesdames',
      Dr: 'docteur',
      'etc.': 'et cetera',
      'p. ex.': 'par exemple',
      'c.-à-d.': 'c’est-à-dire',
      'av. J.-C.': 'avant Jésus-Christ',
      'n°': 'numéro',
      '1er': 'premier',
      '1re': 'première',
      St: 'saint',
    },
  },
  it: {
    months: 'gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre',
    date: (day, month, year) => `${day === '1' ? 'primo' : day} ${month} ${year}`,
    time: (hours, minutes) => `${hours}${minutes === '00' ? '' : ` e ${minutes}`}`,
    and: 'e',
    to: 'a',
    minus: 'meno',
    signs: {
      '&': 'e',
      '@': 'chiocciola',
      '+': 'più',
      '=': 'uguale a',
      '#': 'cancelletto',
      '/': 'barra',
      '°': 'gradi',
      '<': 'minore di',
      '>': 'maggiore di',
      '*': 'per',
      '×': 'per',
      '~': 'circa',
      _: 'trattino basso',
      '\\': 'barra inversa',
      '|': 'barra',
    },
    money: { '€': ['euro', 'euro'], $: ['dollaro', 'dollari'], '£': ['sterlina', 'sterline'], '¥': ['yen', 'yen'] },
    units: {
      km: 'chilometri',
      m: 'metri',
      cm: 'centimetri',
      mm: 'millimetri',
      kg: 'chili',
      g: 'grammi',
      mg: 'milligrammi',
      l: 'litri',
      ml: 'millilitri',
      'km/h': 'chilometri orari',
      '°C': 'gradi',
      h: 'ore',
      min: 'minuti',
      s: 'secondi',
      GB: 'gigabyte',
      MB: 'megabyte',
    },
    abbreviations: {
      'Sig.': 'signor',
      'Sig.ra': 'signora',
      'Dott.': 'dottor',
      'Dr.': 'dottor',
      'Prof.': 'professor',
      'Ing.': 'ingegner',
      'Avv.': 'avvocato',
      'ecc.': 'eccetera',
      'pag.': 'pagina',
      'es.': 'esempio',
    },
  },
  pt: {
    months: 'janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro',
    date: (day, month, year) => `${day === '1' ? 'primeiro' : day} de ${month} de ${year}`,
    time: (hours, minutes) => `${hours} horas${minutes === '00' ? '' : ` e ${minutes}`}`,
    and: 'e',
    to: 'a',
    minus: 'menos',
    signs: {
      '&': 'e',
      '@': 'arroba',
      '+': 'mais',
      '=': 'igual a',
      '#': 'hashtag',
      '/': 'barra',
      '°': 'graus',
      '<': 'menor que',
      '>': 'maior que',
      '*': 'vezes',
      '×': 'vezes',
      '~': 'cerca de',
      _: 'sublinhado',
      '\\': 'barra invertida',
      '|': 'barra',
    },
    money: { R$: ['real', 'reais'], '€': ['euro', 'euros'], $: ['dólar', 'dólares'], '£': ['libra', 'libras'], '¥': ['iene', 'ienes'] },
    units: {
      km: 'quilômetros',
      m: 'metros',
      cm: 'centímetros',
      mm: 'milímetros',
      kg: 'quilos',
      g: 'gramas',
      mg: 'miligramas',
      l: 'litros',
      ml: 'mililitros',
      'km/h': 'quilômetros por hora',
      '°C': 'graus',
      h: 'horas',
      min: 'minutos',
      s: 'segundos',
      GB: 'gigabytes',
      MB: 'megabytes',
    },
    abbreviations: {
      'Sr.': 'senhor',
      'Sra.': 'senhora',
      'Srta.': 'senhorita',
      'Dr.': 'doutor',
      'Dra.': 'doutora',
      'Prof.': 'professor',
      'etc.': 'etcétera',
      'p. ex.': 'por exemplo',
      'pág.': 'página',
      nº: 'número',
      'Av.': 'avenida',
    },
  },
  hi: {
    months: 'जनवरी फ़रवरी मार्च अप्रैल मई जून जुलाई अगस्त सितंबर अक्टूबर नवंबर दिसंबर',
    date: (day, month, year) => `${day} ${month} ${year}`,
    time: (hours, minutes) => `${hours} बज${minutes === '00' ? 'े' : `कर ${minutes} मिनट`}`,
    and: 'और',
    to: 'से',
    minus: 'माइनस',
    signs: {
      '&': 'और',
      '@': 'एट',
      '+': 'प्लस',
      '=': 'बराबर',
      '#': 'हैश',
      '/': 'बटा',
      '°': 'डिग्री',
      '<': 'से कम',
      '>': 'से ज़्यादा',
      '*': 'गुणा',
      '×': 'गुणा',
      '~': 'लगभग',
      _: 'अंडरस्कोर',
      '\\': 'बैकस्लैश',
      '|': 'बार',
    },
    money: { '₹': ['रुपया', 'रुपये'], $: ['डॉलर', 'डॉलर'], '€': ['यूरो', 'यूरो'], '£': ['पाउंड', 'पाउंड'] },
    units: { km: 'किलोमीटर', m: 'मीटर', cm: 'सेंटीमीटर', kg: 'किलोग्राम', g: 'ग्राम', l: 'लीटर', 'km/h': 'किलोमीटर प्रति घंटा', '°C': 'डिग्री' },
    abbreviations: { 'डॉ.': 'डॉक्टर', 'श्री.': 'श्री' },
  },
}

/** A sentence as eSpeak is to read it. */
export function normaliseFor(language: ESpeakLanguage, sentence: string): string {
  const { months, date, time, and, to, minus, signs, money, units, abbreviations } = words[language]
  const month = (number: string): string | undefined => months.split(' ')[Number(number) - 1]
  const number = '\\d+(?:[.,\\u00a0\\u202f]\\d{3})*(?:[.,]\\d+)?'
  const signList = Object.keys(money).map(escaped).join('|')
  const spoken = (sign: string, amount: string): string => {
    const [one, many] = money[sign]!
    const [whole = '', cents] = amount.split(/[.,](?=\d{2}$)/)
    return `${whole} ${/^1$/.test(whole) ? one : many}${cents === undefined || cents === '00' ? '' : ` ${and} ${cents}`}`
  }
  let text = sentence.normalize('NFC').replace(/[\u00AD\u200B-\u200F\u2060\uFEFF]/g, mark => (mark === '\u200D' ? mark : ''))
  for (const [short, long] of Object.entries(abbreviations))
    text = text.replace(new RegExp(`(?<![\\p{L}\\p{N}.])${escaped(short)}(?![\\p{L}\\p{N}])`, 'gu'), long)
  text = text
    .replace(/https?:\/\//gi, '')
    .replace(/(\*{1,3}|~~|`+)(?=\S)([^*~`]*[^\s*~`])\1/g, '$2')
    .replace(/\b(\d{4})-(\d{2})-(\d{2})\b/g, (all, year, number, day) =>
      month(number) ? date(String(Number(day)), month(number)!, year) : all,
    )
    .replace(/\b(\d{1,2})[/.](\d{1,2})[/.](\d{4})\b/g, (all, day, number, year) =>
      month(number) ? date(String(Number(day)), month(number)!, year) : all,
    )
    .replace(/\b([01]?\d|2[0-4])(?::| ?h ?)([0-5]\d)(?: ?h)?\b/g, (_, hours, minutes) => time(String(Number(hours)), minutes))
    .replace(new RegExp(`(${signList}) ?(${number})`, 'g'), (_, sign, amount) => spoken(sign, amount))
    .replace(new RegExp(`(${number}) ?(${signList})`, 'g'), (_, amount, sign) => spoken(sign, amount))
    .replace(
      new RegExp(
        `(${number}) ?(${Object.keys(units)
          .sort((left, right) => right.length - left.length)
          .map(escaped)
          .join('|')})(?![\\p{L}\\p{N}/])`,
        'gu',
      ),
      (_, amount, unit) => `${amount} ${units[unit]}`,
    )
    .replace(/(?<=\d) ?[-–—] ?(?=\d)/g, ` ${to} `)
    .replace(/(?<![\p{L}\p{N}])[-−](?=\d)/gu, `${minus} `)
    .replace(/[‘’]/g, "'")
    .replace(/(?<=\s|^)[–—-]{1,3}(?=\s)|[—―]|--+/g, ' — ')
    .replace(/\.{3,}/g, '…')
    .replace(/[[{]/g, '(')
    .replace(/[\]}]/g, ')')
    .replace(/[«»„“”]/g, '"')
  for (const [sign, name] of Object.entries(signs)) text = text.replaceAll(sign, ` ${name} `)
  return text.replace(/\s+/g, ' ').trim()
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}
