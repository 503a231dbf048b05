/** Brands and models of vehicles, each with the vehicle that is drawn. The subject keeps the name
 *  of the brand as its noun, so that the result can report what was drawn for it. */
const makes: [drawn: string, words: string][] = [
  [
    'sports car',
    'porsche, porsche 911, porsche 356, porsche 918, porsche cayman, porsche boxster, corvette, chevrolet corvette, chevy corvette, ferrari, lamborghini, bugatti, mclaren, aston martin, maserati, lotus elise, camaro, chevrolet camaro, dodge charger, dodge challenger, dodge viper, ford mustang, ford gt, nissan gtr, nissan skyline, pontiac firebird, delorean, audi r8, batmobile, 保时捷, 法拉利, 兰博基尼, 布加迪, 迈凯伦',
  ],
  [
    'car',
    'toyota, toyota corolla, toyota prius, honda civic, honda accord, volkswagen, volkswagen golf, vw golf, volkswagen beetle, vw beetle, bmw, mercedes, mercedes-benz, mercedes benz, audi, volvo, renault, peugeot, citroen, fiat, fiat 500, mini cooper, tesla, tesla model s, tesla model 3, chevrolet, chevy, chrysler, cadillac, lexus, mazda, subaru, hyundai, kia, skoda, prius, 宝马, 奔驰, 奥迪, 特斯拉, 丰田, 本田, 大众汽车',
  ],
  [
    'vintage car',
    'rolls royce, rolls-royce, bentley, model t, ford model t, packard, cadillac eldorado, chevrolet bel air, studebaker, 劳斯莱斯, 宾利',
  ],
  [
    'pickup truck',
    'f-150, ford f-150, ford f150, f150, ford pickup, chevy pickup, silverado, chevrolet silverado, toyota hilux, toyota tacoma, dodge ram, cybertruck, tesla cybertruck',
  ],
  ['jeep', 'hummer, humvee, range rover, land cruiser, toyota land cruiser, jeep wrangler, ford bronco, mercedes g-class, 悍马'],
  ['van', 'vw bus, volkswagen bus, vw van, vw camper, ford transit, minivan'],
  ['motorcycle', 'harley davidson, harley-davidson, harley, ducati, kawasaki, yamaha motorcycle, triumph motorcycle, 哈雷'],
  ['scooter', 'vespa, lambretta'],
  ['airplane', 'boeing, boeing 747, boeing 737, boeing 777, boeing 787, airbus, airbus a380, airbus a320, concorde, 747, 波音, 空客'],
  ['fighter jet', 'f-16, f-35, f-22, f-15, f-14, mig-29, stealth bomber, spitfire plane, p-51 mustang'],
  ['small airplane', 'spitfire, cessna 172'],
  ['ship', 'titanic, rms titanic, 泰坦尼克号'],
  ['tractor', 'john deere, john deere tractor'],
]

/** The brands as rows in the format of `aliasRows`. */
export const makeRows: string = makes
  .map(([drawn, words]) =>
    words
      .split(',')
      .map(word => `${word} > ${word} | ${drawn}`)
      .join('\n'),
  )
  .join('\n')
