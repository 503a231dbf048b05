/** Replaces numbers, dates, times, amounts of money, units and symbols in a Chinese text by Chinese
 *  characters. */

const digits = '零一二三四五六七八九'
const places = ['', '十', '百', '千']
const groups = ['', '万', '亿', '万亿', '亿亿']

/** Converts `1234` to `一千二百三十四`; numbers of more than 20 digits are read digit by digit. */
function chineseNumber(text: string): string {
  const plain = text.replaceAll(',', '').replace(/^0+(?=\d)/, '')
  if (plain.length > groups.length * 4) return chineseDigits(plain)
  const parts: string[] = []
  for (let end = plain.length; end > 0; end -= 4) parts.unshift(plain.slice(Math.max(0, end - 4), end))
  let said = ''
  parts.forEach((part, index) => {
    if (Number(part) === 0) return
    if (said !== '' && (Number(part) < 1000 || Number(parts[index - 1]) === 0)) said += '零'
    said += below10000(Number(part)) + groups[parts.length - 1 - index]
  })
  return said.replace(/^一十/, '十') || '零'
}

function chineseDigits(text: string, one = '一'): string {
  return [...text].map(digit => (digit === '1' ? one : digits[Number(digit)])).join('')
}

function below10000(value: number): string {
  let said = ''
  let isGap = false
  for (let place = 3; place >= 0; place--) {
    const digit = Math.floor(value / 10 ** place) % 10
    if (digit === 0) {
      isGap = said !== ''
      continue
    }
    said += (isGap ? '零' : '') + digits[digit] + places[place]
    isGap = false
  }
  return said
}

function decimal(text: string): string {
  const [whole = '', part] = text.split('.')
  return chineseNumber(whole) + (part === undefined ? '' : `点${chineseDigits(part)}`)
}

const units: Record<string, string> = {
  'km/h': '公里每小时',
  km: '公里',
  kg: '公斤',
  cm: '厘米',
  mm: '毫米',
  mg: '毫克',
  ml: '毫升',
  mL: '毫升',
  m: '米',
  g: '克',
  L: '升',
  '℃': '摄氏度',
  '°C': '摄氏度',
  '°F': '华氏度',
  '°': '度',
  GB: 'G·B·',
  MB: 'M·B·',
  kW: '千瓦',
  W: '瓦',
  h: '小时',
  min: '分钟',
  s: '秒',
  'm²': '平方米',
  '㎡': '平方米',
}
const money: Record<string, string> = { '¥': '元', '￥': '元', $: '美元', '€': '欧元', '£': '英镑', RMB: '元', CNY: '元', USD: '美元' }
const signs: Record<string, string> = {
  '&': '和',
  '+': '加',
  '=': '等于',
  '×': '乘以',
  '÷': '除以',
  '<': '小于',
  '>': '大于',
  '≤': '小于等于',
  '≥': '大于等于',
  '≈': '约等于',
  '±': '正负',
  '~': '到',
  '～': '到',
  '%': '百分之',
  '°': '度',
  '#': '井号',
  '*': '星号',
  '/': '斜杠',
}
const number = '\\d+(?:,\\d{3})*(?:\\.\\d+)?'
/** Measure words, units and large numbers (千, 万, 亿) before which 2 is 两 instead of 二. */
const counted =
  '个|只|本|张|次|天|年|位|件|岁|块|条|家|名|种|斤|米|公里|小时|分钟|秒|周|星期|倍|元|美元|杯|瓶|台|辆|座|棵|口|双|层|千|万|亿'

/** Returns Chinese text with its numbers, units and symbols written out in Chinese characters.
 *  Words in Latin letters that are not units stay unchanged. */
export function normaliseChinese(sentence: string): string {
  const escaped = (names: Record<string, string>): string =>
    Object.keys(names)
      .map(name => name.replace(/[$/.°²]/g, '\\$&'))
      .join('|')
      .replaceAll('\\°', '°')
      .replaceAll('\\²', '²')
  return sentence
    .replace(/[０-９Ａ-Ｚａ-ｚ％．]/g, char => String.fromCharCode(char.charCodeAt(0) - 0xfee0))
    .replace(
      /(?<!\d)(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)/g,
      (_, year, month, day) => `${chineseDigits(year)}年${chineseNumber(month)}月${chineseNumber(day)}日`,
    )
    .replace(/(?<!\d)(\d{4}|\d{2})(?=年)/g, year => (year.length === 4 ? chineseDigits(year) : chineseNumber(year)))
    .replace(
      /(?<!\d)([01]?\d|2[0-4]):([0-5]\d)(?!\d)/g,
      (_, hours, minutes) =>
        `${chineseNumber(hours)}点${minutes === '00' ? '' : `${minutes.startsWith('0') ? '零' : ''}${chineseNumber(minutes)}分`}`,
    )
    .replace(/(?<![\d.])(?:1\d{10}|0\d{2,3}-?\d{7,8}|\d{3,4}-\d{4}-\d{4})(?!\d)/g, phone => chineseDigits(phone.replaceAll('-', ''), '幺'))
    .replace(
      new RegExp(`(${number})%?[-–—~～](${number})%`, 'g'),
      (_, from, to) => `百分之${decimal(strip(from))}到百分之${decimal(strip(to))}`,
    )
    .replace(new RegExp(`(${number}) ?%`, 'g'), (_, value) => `百分之${decimal(strip(value))}`)
    .replace(
      new RegExp(`(${escaped(money)}) ?(${number})([万亿])?`, 'g'),
      (_, sign, value, scale = '') => `${decimal(strip(value))}${scale}${money[sign]}`,
    )
    .replace(/(?<![\d/])(\d{1,3})\/(\d{1,3})(?![\d/])/g, (_, above, below) => `${chineseNumber(below)}分之${chineseNumber(above)}`)
    .replace(new RegExp(`(${number}) ?(${escaped(units)})(?![A-Za-z])`, 'g'), (_, value, unit) => `${decimal(strip(value))}${units[unit]}`)
    .replace(/(?<=\d) ?[-–—~～] ?(?=\d)/g, '到')
    .replace(/(?<![\d\p{L}])[-−](?=\d)/gu, '负')
    .replace(new RegExp(`(?<![\\d.第十百千万])2(?=(?:${counted}))(?!年级)`, 'g'), '两')
    .replace(
      /(?<=[A-Za-z]-?)\d+|\d+(?=[A-Za-z])/g,
      digitsIn => ` ${digitsIn.length > 2 ? chineseDigits(digitsIn) : chineseNumber(digitsIn)} `,
    )
    .replace(/(?<![\d,.])0\d+(?!\.)/g, run => chineseDigits(run))
    .replace(new RegExp(number, 'g'), value => decimal(strip(value)))
    .replace(/[&+=×÷<>≤≥≈±~～%°#*/]/g, sign => signs[sign] ?? sign)
}

function strip(value: string): string {
  return value.replaceAll(',', '')
}
