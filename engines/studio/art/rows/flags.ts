/** Flags by country: key | country | adjective | Chinese name. */
const countries = `
japan | japan | japanese | 日本国旗
france | france | french | 法国国旗
italy | italy | italian | 意大利国旗
ireland | ireland | irish | 爱尔兰国旗
belgium | belgium | belgian | 比利时国旗
romania | romania | romanian | 罗马尼亚国旗
mexico | mexico | mexican | 墨西哥国旗
germany | germany | german | 德国国旗
netherlands | the netherlands | dutch | 荷兰国旗
russia | russia | russian | 俄罗斯国旗
austria | austria | austrian | 奥地利国旗
hungary | hungary | hungarian | 匈牙利国旗
poland | poland | polish | 波兰国旗
ukraine | ukraine | ukrainian | 乌克兰国旗
indonesia | indonesia | indonesian | 印度尼西亚国旗
spain | spain | spanish | 西班牙国旗
india | india | indian | 印度国旗
argentina | argentina | argentinian | 阿根廷国旗
brazil | brazil | brazilian | 巴西国旗
china | china | chinese | 中国国旗
vietnam | vietnam | vietnamese | 越南国旗
turkey | turkey | turkish | 土耳其国旗
switzerland | switzerland | swiss | 瑞士国旗
sweden | sweden | swedish | 瑞典国旗
norway | norway | norwegian | 挪威国旗
denmark | denmark | danish | 丹麦国旗
finland | finland | finnish | 芬兰国旗
greece | greece | greek | 希腊国旗
england | england | english | 英格兰旗
scotland | scotland | scottish | 苏格兰旗
britain | the united kingdom | british | 英国国旗
america | the united states | american | 美国国旗
texas | texas | texan | 得克萨斯州旗
canada | canada | canadian | 加拿大国旗
korea | south korea | korean | 韩国国旗
south-africa | south africa | south african | 南非国旗
jamaica | jamaica | jamaican | 牙买加国旗
cuba | cuba | cuban | 古巴国旗
rainbow | the rainbow | rainbow | 彩虹旗
`

/** Further English names of the flags. */
const others: Readonly<Record<string, string>> = {
  britain: ', union jack, uk flag, flag of the uk, united kingdom flag',
  america: ', us flag, usa flag, united states flag, flag of the usa, flag of america, stars and stripes',
  rainbow: ', pride flag',
}

export const flagRows = countries
  .trim()
  .split('\n')
  .map(line => {
    const [key = '', country = '', adjective = '', chinese = ''] = line.split('|').map(cell => cell.trim())
    return `drawn:flag-${key} | ${adjective} flag | object | 3 | 0.95 | ground | flag of ${country}${others[key] ?? ''} | ${chinese} |`
  })
  .join('\n')
