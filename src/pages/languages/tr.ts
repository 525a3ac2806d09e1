// Turkish. Names of apps and services never take a suffix; a noun or a colon carries it.

import type { Catalogue } from './en.ts';
import { wording } from './wording.ts';

const { plural, number } = wording<'one' | 'other'>('tr');

const waitingTime = (minutes: number) => {
  if (minutes <= 90) return plural(minutes, { one: '1 dakika', other: `${number(minutes)} dakika` });
  const hours = Math.ceil(minutes / 60);
  if (hours <= 48) return plural(hours, { one: '1 saat', other: `${number(hours)} saat` });
  const days = Math.ceil(hours / 24);
  return plural(days, { one: '1 gün', other: `${number(days)} gün` });
};

const notConfirmed = 'Sizi buraya hangi uygulamanın yönlendirdiğini doğrulayamadık, bu yüzden sizi geri göndermedik.';

export const tr: Catalogue = {
  skipToContent: 'İçeriğe geç',
  dismiss: 'Kapat',
  title: (page, service) => `${page} · ${service}`,
  languagePicker: 'Dil',
  links: { support: 'Yardım', terms: 'Hizmet şartları', privacy: 'Gizlilik politikası' },

  signIn: {
    title: 'Oturum açın',
    continueTo: (app) => `${app} uygulamasına devam edin`,
    toAccount: 'Hesabınıza erişin',
    email: 'E-posta',
    password: 'Parola',
    submit: 'Oturum aç',
    failed: 'E-posta adresi veya parola yanlış.',
    throttled: (minutes) => `Çok fazla başarısız deneme yapıldı. ${waitingTime(minutes)} sonra tekrar deneyin.`,
    incomplete: 'E-posta adresinizi ve parolanızı girin.',
    forgotten: 'Parolanızı mı unuttunuz?',
    create: 'Hesap oluştur',
    passkey: 'Geçiş anahtarıyla oturum aç',
    passkeyFailed: 'Geçiş anahtarı çalışmadı. Tekrar deneyin veya parolanızı kullanın.',
    keep: 'Oturumum açık kalsın',
  },

  emailCodes: {
    send: 'E-postayla kod gönder',
    title: 'E-postanızı kontrol edin',
    lead: (email) =>
      `${email} adresine bir e-posta gönderdik. İçindeki kodu girin. Kod 10 dakika boyunca, bir kez ve yalnızca bu tarayıcıda geçerlidir.`,
    code: 'Kod',
    again: 'Yeni kod gönder',
    usePassword: 'Parolanızı kullanın',
    wrong: 'Kod yanlış veya süresi dolmuş.',
    spent: 'Çok fazla yanlış kod girildi. Yeni bir kod isteyin.',
    recoveryTitle: 'Yöneticinize başvurun',
    recovery:
      'E-posta adresiniz daha önce doğrulanmamış ve bu hesapta iki adımlı doğrulama açık; bunu başka biri ayarlamış olabilir. Yöneticinizden iki adımlı doğrulamayı kaldırmasını ve size bir kurtarma bağlantısı vermesini isteyin.',
    proofLead: (email) => `${email} adresine bir kod göndereceğiz. 15 dakika boyunca bir daha sorulmaz.`,
    reviewLead: (day) =>
      `E-posta adresiniz ${day} tarihinde doğrulandı. Daha önce ayarlananlar, örneğin bir parola, başka biri tarafından ayarlanmış olabileceği için kaldırıldı. Hesabınıza hâlâ nelerin erişebildiğini kontrol edin.`,
    reviewMethods: 'Yalnızca e-postayla gönderilen kodlar.',
    email: {
      subjects: { sign_in: 'Oturum açma kodunuz', proof: 'Onay kodunuz' },
      texts: {
        sign_in:
          'Oturum açmak için bu kodu girin. Kod yalnızca istendiği tarayıcıda, bir kez kullanılabilir ve 10 dakika sonra geçersiz olur.',
        proof:
          'Siz olduğunuzu doğrulamak için bu kodu girin. Kod yalnızca istendiği tarayıcıda, bir kez kullanılabilir ve 10 dakika sonra geçersiz olur.',
      },
      asked: (device, ipAddress) => `İsteğin geldiği yer: ${device}, IP adresi ${ipAddress}.`,
      warning: 'Bu isteği siz yapmadıysanız bu e-postayı yok sayabilirsiniz. Kodu kimseyle paylaşmayın.',
    },
    notForYou: {
      subject: 'Parolanızla veya geçiş anahtarınızla oturum açın',
      text: 'Birisi, muhtemelen siz, oturum açmak için bir kod istedi. Hesabınız iki adımlı doğrulama kullandığından parolanızı veya bir geçiş anahtarını kullanmanız gerekir.',
    },
    noAccount:
      'Birisi, muhtemelen siz, bu e-posta adresiyle oturum açmak için bir kod istedi; ancak bu adresi kullanan bir hesap yok. Farklı bir e-posta adresiyle kaydolmuş olabilirsiniz.',
  },

  account: {
    email: 'E-posta',
    password: 'Parola',
    newPassword: 'Yeni parola',
    newPasswordHint: 'En az 8 karakter. Birbiriyle ilgisiz birkaç kelime kullanmayı deneyin.',
    name: 'Ad soyad',
    nav: 'Hesabınız',
    signOut: 'Oturumu kapat',
    signedInAs: 'Oturum açılan hesap:',
    menu: 'Menü',
    reveal: { show: 'Göster', hide: 'Gizle', showPassword: 'Parolayı göster', hidePassword: 'Parolayı gizle' },
    file: { choose: 'Dosya seç', none: 'Dosya seçilmedi' },
    throttled: (minutes) => `Çok fazla deneme yapıldı. ${waitingTime(minutes)} sonra tekrar deneyin.`,
    invalidName: 'En az bir görünür karakter içeren, en fazla 100 karakterlik bir ad girin.',
    invalidEmail: 'Geçerli bir e-posta adresi girin.',
    managed: 'Bunu kuruluşunuz yönetiyor.',
    noEmail: 'Bu hizmet henüz e-posta gönderemediği için bu özellik kullanılamıyor. Yöneticinize başvurun.',
    passwordProblems: {
      too_short: 'En az 8 karakter kullanın.',
      too_long: 'En fazla 256 karakter kullanın.',
      not_text: 'Bu parola, kullanılamayan karakterler içeriyor.',
      common: 'Bu parola çok yaygın. Başka bir parola seçin.',
      personal: 'Parolanız, adınızla veya e-posta adresinizle aynı olamaz. Başka bir parola seçin.',
      breached:
        'Bu parola bir veri sızıntısında yer alıyor ve başkaları tarafından biliniyor olabilir. Başka hiçbir yerde kullanmadığınız bir parola seçin.',
      not_allowed: 'Burada parola kullanılamaz. Bunun yerine geçiş anahtarı oluşturun.',
    },
    sections: {
      home: 'Uygulamalarınız',
      profile: 'Profil',
      security: 'Güvenlik',
      sessions: 'Cihazlar',
      apps: 'Bağlı uygulamalar',
      activity: 'Etkinlik',
      data: 'Verileriniz',
    },
    console: 'Yönetici konsolu',
    notices: {
      welcome: 'Hoş geldiniz! Hesabınız hazır.',
      profile: 'Profil kaydedildi.',
      picture: 'Profil resmi güncellendi.',
      password: 'Parola değiştirildi. Diğer cihazlarınızdaki oturumlar kapatıldı.',
      authenticator: 'Kimlik doğrulama uygulaması kaldırıldı.',
      'authenticator-added': 'Kimlik doğrulama uygulaması eklendi.',
      passkey: 'Geçiş anahtarı kaldırıldı.',
      'password-removed': 'Parola kaldırıldı. Diğer cihazlarınızdaki oturumlarınız kapatıldı.',
      'password-set': 'Parola belirlendi. Diğer cihazlarınızdaki oturumlarınız kapatıldı.',
      'identity-linked': 'Hesap bağlandı.',
      'identity-unlinked': 'Hesap bağlantısı kaldırıldı.',
      'passkey-added': 'Geçiş anahtarı eklendi.',
      session: 'Cihazdaki oturum kapatıldı.',
      sessions: 'Diğer cihazlardaki oturumlar kapatıldı.',
      proof: 'Kimliğiniz doğrulandı.',
      untrusted: 'Cihaz artık güvenilenler arasında değil.',
      'method-kept': 'Oturum açma yöntemi yeniden kullanıma açıldı.',
      'method-removed': 'Oturum açma yöntemi kaldırıldı.',
      'not-possible': 'İşlem yapılamadı. Başka bir pencerede değişiklik yapılmış olabilir.',
    },

    signUp: {
      title: 'Hesap oluşturun',
      toContinue: (app) => `${app} uygulamasına devam edin`,
      lead: 'Hesabınızı oluşturmayı tamamlamanız için size e-postayla bir bağlantı göndereceğiz.',
      submit: 'Bağlantı gönder',
      haveOne: 'Zaten hesabınız var mı?',
      closed: 'Bu hizmette hesapları yöneticiler oluşturur. Hesap için yöneticinize başvurun.',
      finishTitle: 'Hesabınızı oluşturmayı tamamlayın',
      finishLead: (email) => `${email} adresiyle oturum açacaksınız.`,
      inviteTitle: 'Davet edildiniz',
      setUpTitle: 'Bu hizmeti kurun',
      setUpLead: 'İlk yönetici hesabını oluşturun.',
      emailTaken: 'Bu e-posta adresini kullanan bir hesap zaten var.',
      nameHint: 'Uygulamaların göreceği ad.',
      finish: 'Hesap oluştur',
    },
    emailSent: {
      title: 'E-postanızı kontrol edin',
      text: (email) => `${email} adresine bir e-posta gönderdik. Devam etmek için e-postadaki bağlantıyı açın.`,
      hint: 'Birkaç dakika içinde gelmezse spam klasörünüze bakın veya tekrar deneyin.',
      again: 'Yeniden gönder',
      other: 'Başka bir e-posta adresi kullan',
      outbox: 'Bu hizmet geliştirme modunda çalışıyor: E-posta, giden kutusunda.',
    },
    resetPassword: {
      title: 'Parolanızı sıfırlayın',
      lead: 'Yeni bir parola belirlemeniz için size e-postayla bir bağlantı göndereceğiz. Bağlantı bir kez kullanılabilir ve 30 dakika geçerlidir.',
      submit: 'Bağlantı gönder',
      back: 'Oturum açma sayfasına dön',
      finishTitle: 'Yeni bir parola belirleyin',
      finishLead: 'Tüm cihazlardaki oturumlarınız kapatılacak.',
      finish: 'Parolayı kaydet',
      doneTitle: 'Parola değiştirildi',
      done: 'Yeni parolanızla oturum açın. Son 7 günde eklenen oturum açma yöntemleri, siz gözden geçirene kadar duraklatıldı.',
      signIn: 'Oturum aç',
    },
    linkExpired: {
      title: 'Bu bağlantı artık geçerli değil',
      text: 'Daha önce kullanılmış veya yerine yeni bir bağlantı gönderilmiş olabilir. Hiçbir şey değiştirilmedi.',
      again: 'Yeni bağlantı al',
      askAdministrator: 'Yöneticinizden yeni bir bağlantı isteyin.',
    },

    secondStep: {
      title: 'İki adımlı doğrulama',
      lead: 'Kimlik doğrulama uygulamanızdaki kodu veya bir kurtarma kodu girin.',
      leadPasskeyOnly: 'Geçiş anahtarınızı kullanın veya bir kurtarma kodu girin.',
      code: 'Kod',
      submit: 'Devam et',
      passkey: 'Geçiş anahtarı kullan',
      failed: 'Bu kod yanlış veya daha önce kullanılmış.',
      passkeyFailed: 'Geçiş anahtarı çalışmadı. Tekrar deneyin veya bir kod girin.',
      tooManyCodes: (minutes) =>
        `Çok fazla yanlış kod girildi. Kurtarma kodu veya geçiş anahtarı kullanın ya da ${waitingTime(minutes)} sonra tekrar deneyin.`,
      trust: 'Bu cihazda 30 gün boyunca kod sorma',
      lost: 'Cihazınızı ve kurtarma kodlarınızı mı kaybettiniz? Yöneticinize başvurun.',
      other: 'Başka bir hesap kullan',
    },

    proof: {
      leadElsewhere: 'Devam etmek için yeniden oturum açın. 15 dakika boyunca bir daha sorulmaz.',
      noWay:
        'Şu anda kimliğinizi doğrulayamıyoruz: Parolanız yok ve oturum açmak için kullandığınız hesap kullanılamıyor. Önce e-posta ile bir parola belirleyin.',
      byEmail: 'E-posta ile parola belirle',
      confirmedTitle: 'Kimliğiniz doğrulandı',
      confirmed: 'Değişikliğinize şimdi devam edebilirsiniz.',
      goOn: 'Devam et',
      title: 'Siz olduğunuzu doğrulayın',
      lead: 'Devam etmek için parolanızı girin. 15 dakika boyunca tekrar sorulmayacak.',
      leadWithCode: 'Devam etmek için iki adımlı doğrulamayı kullanın. 15 dakika boyunca tekrar sorulmayacak.',
      password: 'Parola',
      submit: 'Doğrula',
      enterCode: 'Kodunuzu girin.',
      wrongPassword: 'Parola yanlış.',
      cancel: 'İptal',
    },

    profile: {
      pictureElsewhere: (host) => `Resminizin kaynağı: ${host}. Burada gösterilmez.`,
      lead: 'Profilinizi paylaştığınız uygulamalar bu bilgileri görür.',
      givenName: 'Ad',
      familyName: 'Soyad',
      username: 'Kullanıcı adı',
      usernameHint: 'İsteğe bağlı. Harfle başlayan 3-30 karakter. Profilinizi gören uygulamalar bu adı gösterebilir.',
      usernameTaken: 'Bu kullanıcı adı zaten alınmış.',
      usernameProblems: {
        too_short: 'En az 3 karakter kullanın.',
        too_long: 'En fazla 30 karakter kullanın.',
        invalid_start: 'Kullanıcı adınız bir harfle başlamalıdır.',
        invalid_characters: 'Yalnızca harf (a-z), rakam, nokta, kısa çizgi ve alt çizgi kullanın.',
      },
      locale: 'Dil',
      noLocale: 'Seçilmedi',
      save: 'Profili kaydet',
      invalidLocale: 'Listeden bir dil seçin.',
      picture: 'Profil resmi',
      pictureHint: 'PNG, JPEG veya WebP, en fazla 512 KB. Konum bilgileri kaldırılır.',
      upload: 'Resim yükle',
      removePicture: 'Resmi kaldır',
      pictureProblems: {
        not_a_picture: 'Bu dosya PNG, JPEG veya WebP biçiminde değil ya da bozuk.',
        too_large: 'Bu resim 512 KB sınırını aşıyor.',
        too_many_pixels: 'Bu resmin çözünürlüğü çok yüksek.',
        none: 'Önce bir dosya seçin.',
      },
      address: 'E-posta adresi',
      verified: 'Doğrulandı',
      unverified: 'Doğrulanmadı',
      verify: 'E-posta adresini doğrula',
      changeAddress: 'E-posta adresini değiştir',
    },
    attributes: {
      none: 'Ayarlanmadı',
      yes: 'Evet',
      no: 'Hayır',
      list: 'Öğeleri virgülle ayırın.',
      listOf: (values) => `Öğeleri virgülle ayırın. İzin verilenler: ${values}.`,
      problems: {
        wrong_kind: '12.5 gibi bir sayı girin.',
        not_allowed: 'Yalnızca izin verilen değerleri kullanın.',
        too_long: 'Bu değer çok uzun.',
        characters: 'Bu değerde izin verilmeyen karakterler var.',
      },
    },
    changeEmail: {
      title: 'E-posta adresinizi değiştirin',
      lead: (email) =>
        `Şu anki e-posta adresiniz: ${email}. Yeni adresinize göndereceğimiz bağlantıyı açana kadar değişmez.`,
      newAddress: 'Yeni e-posta adresi',
      submit: 'Bağlantı gönder',
      same: 'Zaten bu e-posta adresini kullanıyorsunuz.',
      confirmTitle: 'Yeni e-posta adresinizi onaylayın',
      confirmLead: (email, current) => `E-posta adresiniz ${current} yerine ${email} olacak.`,
      confirm: 'E-posta adresini onayla',
      changedTitle: 'E-posta adresi değiştirildi',
      confirmed: (email) => `Yeni e-posta adresiniz: ${email}. Bundan sonra bu adresle oturum açın.`,
      verifyLead: (email) => `${email} adresinin size ait olduğunu onaylayın.`,
      verifiedTitle: 'E-posta adresi doğrulandı',
      verified: (email) => `${email} doğrulandı.`,
      toAccount: 'Hesap sayfasına git',
      back: 'Profil sayfasına dön',
    },
    security: {
      noPassword:
        'Parolanız yok. Bir parola belirlerseniz bağlı bir hesaba erişiminizi kaybettiğinizde de oturum açabilirsiniz.',
      setPassword: 'Parola belirle',
      authenticatorOffAlone: 'Oturum açarken telefonunuzdaki bir uygulamanın ürettiği kodla hesabınızı koruyun.',
      proof: 'Kimlik doğrulama uygulamanızdaki kod veya bir kurtarma kodu',
      proofByRecoveryCode: 'Kurtarma kodu',
      passwordTitle: 'Parola',
      changePassword: 'Parolayı değiştir',
      breached:
        'Parolanız başka bir hizmetteki veri sızıntısında yer alıyor ve başkaları tarafından biliniyor olabilir. Burada ve kullandığınız diğer her yerde en kısa zamanda değiştirin.',
      authenticatorTitle: 'Kimlik doğrulama uygulaması',
      authenticatorOff: 'Hesabınızı, parolanıza ek olarak telefonunuzdaki bir uygulamadan alınan kodla koruyun.',
      on: 'Açık',
      authenticatorOn: 'Oturum açarken sizden uygulamadaki kod istenir.',
      setUp: 'Uygulamayı kur',
      remove: 'Kaldır',
      removeNamed: (name) => `“${name}” geçiş anahtarını kaldır`,
      removeApp: 'Uygulamayı kaldır',
      codesTitle: 'Kurtarma kodları',
      noCodesLeft: 'Kurtarma kodunuz kalmadı. Yeni kodlar oluşturun.',
      codesLeft: (count) =>
        plural(count, {
          one: '1 kurtarma kodunuz kaldı. Cihazınız yanınızda olmadığında bu kodla bir kez oturum açabilirsiniz.',
          other: `${number(count)} kurtarma kodunuz kaldı. Cihazınız yanınızda olmadığında her kodla bir kez oturum açabilirsiniz.`,
        }),
      newCodes: 'Yeni kodlar oluştur',
      passkeysTitle: 'Geçiş anahtarları',
      passkeysLead: 'Parmak iziniz, yüzünüz veya ekran kilidinizle, parola girmeden oturum açın.',
      passkeyName: 'Geçiş anahtarının adı',
      passkeyNameHint: 'Örneğin “Telefonum”.',
      addPasskey: 'Geçiş anahtarı ekle',
      needsScript: 'Geçiş anahtarları için JavaScript ve bunları destekleyen bir tarayıcı gerekir.',
      added: 'Eklenme tarihi',
      lastUsed: 'Son kullanım',
      never: 'Hiç kullanılmadı',
      passkeyFailed: 'Geçiş anahtarı eklenemedi. Tekrar deneyin.',
      tooManyPasskeys: 'En fazla 20 geçiş anahtarınız olabilir. Yenisini eklemek için birini kaldırın.',
      lastWay:
        'Oturum açmanın tek yolu bu. Kaldırmadan önce bir parola belirleyin veya başka bir geçiş anahtarı ekleyin.',
      confirmedForPasskey: 'Kimliğiniz doğrulandı. Şimdi geçiş anahtarını ekleyebilirsiniz.',
    },
    identities: {
      title: 'Bağlı hesaplar',
      lead: 'Oturum açmak için kullanabileceğiniz, başka hizmetlerdeki hesaplar.',
      linked: 'Bağlandı',
      noEmail: 'E-posta adresi paylaşılmadı',
      disabled: 'Kullanılamıyor',
      link: (label) => `Hesap bağla: ${label}`,
      tooMany: 'En fazla 10 hesap bağlayabilirsiniz. Yenisini bağlamak için birinin bağlantısını kaldırın.',
      unlink: 'Bağlantıyı kaldır',
      unlinkNamed: (label) => `Bağlantıyı kaldır: ${label}`,
      lastWay:
        'Oturum açmanın tek yolu bu. Bağlantıyı kaldırmadan önce bir parola belirleyin veya geçiş anahtarı ekleyin.',
    },
    authenticator: {
      title: 'Kimlik doğrulama uygulamasını kurun',
      scan: 'Bu QR kodunu kimlik doğrulama uygulamanızla tarayın.',
      alt: 'Kimlik doğrulama uygulamanızın anahtarını içeren QR kodu',
      orType: 'Veya uygulamaya şu anahtarı girin:',
      open: 'Kimlik doğrulama uygulamasında aç',
      copy: 'Anahtarı kopyala',
      code: 'Uygulamadaki 6 haneli kod',
      submit: 'Etkinleştir',
      wrongCode: 'Bu kod yanlış. Kodlar 30 saniyede bir değişir; telefonunuzun saatinin doğru olduğundan emin olun.',
      already: 'Zaten bir kimlik doğrulama uygulaması kurdunuz. Önce onu kaldırın.',
      back: 'Güvenlik sayfasına dön',
    },
    codes: {
      title: 'Kurtarma kodlarınızı kaydedin',
      lead: 'Cihazınız yanınızda olmadığında her kodla bir kez oturum açabilirsiniz. Kodları şimdi kaydedin, bir daha gösterilmeyecek.',
      done: 'Kurtarma kodlarımı kaydettim',
      copy: 'Kodları kopyala',
      copied: 'Kopyalandı',
      download: 'Kodları indir',
      print: 'Kodları yazdır',
      file: (service, email) => `${service} hesabı ${email} için kurtarma kodları`,
    },
    sessions: {
      lead: 'Oturumunuzun açık olduğu cihazlar.',
      current: 'Bu cihaz',
      since: 'Oturum açma tarihi',
      lastSeen: 'Son etkinlik',
      from: 'IP adresi',
      end: 'Oturumu kapat',
      endNamed: (device) => `${device} cihazında oturumu kapat`,
      endOthers: 'Diğer tüm oturumları kapat',
      onlyThis: 'Başka hiçbir yerde oturumunuz açık değil.',
      trusted: 'Güvenilen cihazlar',
      trustedLead: 'Bu cihazlarda parolanızla oturum açtığınızda sizden kod istenmez.',
      trustedUntil: 'Bitiş tarihi',
      lastSignIn: 'Son kullanım',
      untrust: 'Güvenmeyi bırak',
      untrustNamed: (device) => `${device} cihazına güvenmeyi bırak`,
    },
    activity: {
      lead: 'Hesabınızdaki son etkinlikler. Size ait olmayan bir etkinlik varsa parolanızı değiştirin.',
      none: 'Henüz etkinlik yok.',
      byAdministrator: 'Bir yönetici tarafından',
      older: 'Daha eski',
      someApp: 'bilinmeyen uygulama',
    },
    data: {
      downloadTitle: 'Verilerinizi indirin',
      downloadLead: 'Hakkınızda sakladığımız her şey tek bir JSON dosyasında.',
      download: 'Verileri indir',
      deleteTitle: 'Hesabınızı silin',
      deleteLead: 'Uygulamaların erişimi hemen sona erer. Bu işlem geri alınamaz.',
      deleteQuestion: (email) => `${email} hesabı silinsin mi?`,
      deleteText:
        'Profiliniz, oturum açma yöntemleriniz ve bağlı uygulamalarınız kalıcı olarak silinir, tüm cihazlardaki oturumlarınız kapatılır.',
      delete: 'Hesabı sil',
      lastAdministrator: 'Kalan tek yönetici sizsiniz. Önce başka birine yönetici erişimi verin.',
      deletedTitle: 'Hesap silindi',
      deleted:
        'Geriye yalnızca hesabın var olduğuna dair bir kayıt kaldı. Uygulamalar, onlarla paylaştığınız bilgileri saklamış olabilir.',
    },
    ownEvents: {
      signed_in: 'Oturum açıldı',
      sign_in_failed: 'Başarısız oturum açma denemesi',
      second_step_asked: 'Parola doğru, iki adımlı doğrulama bekleniyor',
      session_raised: 'İki adımlı doğrulamayla onaylandı',
      signed_out: 'Oturum kapatıldı',
      approved: (app) => `Erişim verildi: ${app}`,
      let_in: (app) => `Uygulamada oturum açıldı: ${app}`,
      approvals_throttled: (app) => `Çok sık oturum açıldığı için kısa süreliğine duraklatıldı: ${app}`,
      authorization_denied: (app) => `Erişim reddedildi: ${app}`,
      app_removed: (app) => `Erişim kaldırıldı: ${app}`,
      signed_up: 'Hesap oluşturuldu',
      user_created: 'Hesap bir yönetici tarafından oluşturuldu',
      user_password_set: 'Parola bir yönetici tarafından değiştirildi',
      user_disabled: 'Hesap bir yönetici tarafından devre dışı bırakıldı',
      user_expired: 'Hesaba erişim süresi doldu',
      user_enabled: 'Hesap bir yönetici tarafından etkinleştirildi',
      user_approved: 'Hesap bir yönetici tarafından onaylandı',
      user_made_administrator: 'Yönetici erişimi verildi',
      user_administrator_removed: 'Yönetici erişimi kaldırıldı',
      user_roles_changed: 'Roller bir yönetici tarafından değiştirildi',
      user_reset_sent: 'Parola sıfırlama bağlantısı bir yönetici tarafından gönderildi',
      user_recovery_link_made: 'Kurtarma bağlantısı bir yönetici tarafından oluşturuldu',
      first_administrator_created: 'İlk yönetici hesabı oluşturuldu',
      email_code_requested: 'Oturum açma kodu istendi',
      email_verified_by_code: 'E-posta adresi bir kodla doğrulandı',
      account_claimed: 'Hesap, sahibi için sıfırlandı',
      password_reset_requested: 'Parola sıfırlama istendi',
      password_reset: 'Parola e-postayla sıfırlandı',
      password_changed: 'Parola değiştirildi',
      password_removed: 'Parola kaldırıldı',
      password_found_in_breach: 'Parola bir veri sızıntısında bulundu',
      profile_changed: 'Profil güncellendi',
      picture_changed: 'Profil resmi güncellendi',
      email_change_requested: 'E-posta adresi değişikliği istendi',
      email_changed: 'E-posta adresi değiştirildi',
      sessions_ended: 'Diğer cihazlardaki oturumlar kapatıldı',
      device_trusted: 'Cihaz güvenilenlere eklendi, kod sorulmayacak',
      device_trust_ended: 'Cihaz güvenilenlerden çıkarıldı',
      authenticator_added: 'Kimlik doğrulama uygulaması eklendi',
      authenticator_removed: 'Kimlik doğrulama uygulaması kaldırıldı',
      recovery_codes_replaced: 'Kurtarma kodları oluşturuldu',
      recovery_codes_removed: 'Kurtarma kodları kaldırıldı',
      recovery_code_used: 'Kurtarma kodu kullanıldı',
      passkey_added: (name) => `“${name}” adlı geçiş anahtarı eklendi`,
      passkey_removed: 'Geçiş anahtarı kaldırıldı',
      second_factors_removed: 'İki adımlı doğrulama bir yönetici tarafından kaldırıldı',
      identity_linked: (name) => `${name} ile oturum açma bağlandı`,
      identity_unlinked: (name) => `${name} ile oturum açma bağlantısı kaldırıldı`,
      factor_undone: 'Yeni oturum açma yöntemi geri alındı, tüm oturumlar kapatıldı',
      factor_kept: 'Duraklatılan oturum açma yöntemi yeniden kullanıma açıldı',
      account_reviewed: 'Hesap erişimi gözden geçirildi',
      data_downloaded: 'Veriler indirildi',
      user_edited: 'Profil bir yönetici tarafından değiştirildi',
      user_email_verified: 'E-posta adresi bir yönetici tarafından doğrulandı',
      grant_ended_by_replay: (app) => `Bir kod iki kez kullanıldığı için erişim sona erdi: ${app}`,
    },
    methods: {
      password: 'Parola',
      password_and_code: 'Parola ve kod',
      password_and_recovery_code: 'Parola ve kurtarma kodu',
      password_and_passkey: 'Parola ve geçiş anahtarı',
      passkey: 'Geçiş anahtarı',
      password_on_trusted_device: 'Güvenilen cihazda parola',
      sign_up: 'İlk oturum açma',
      upstream: 'Kimlik sağlayıcısı',
      upstream_on_trusted_device: 'Güvenilen cihazda kimlik sağlayıcısı',
      upstream_two_factors: 'İki adımlı doğrulamayla kimlik sağlayıcısı',
      upstream_and_code: 'Kimlik sağlayıcısı ve kod',
      upstream_and_recovery_code: 'Kimlik sağlayıcısı ve kurtarma kodu',
      upstream_and_passkey: 'Kimlik sağlayıcısı ve geçiş anahtarı',
      email_code: 'E-postayla gelen kod',
      email_code_and_code: 'E-postayla gelen kod ve uygulama kodu',
      email_code_and_recovery_code: 'E-postayla gelen kod ve kurtarma kodu',
      email_code_and_passkey: 'E-postayla gelen kod ve geçiş anahtarı',
    },
    reasons: {
      wrong_password: 'Yanlış parola',
      wrong_second_step: 'Doğru paroladan sonra yanlış kod',
      wrong_password_in_account: 'Kimlik doğrulanırken yanlış parola',
      wrong_passkey: 'Geçiş anahtarı kabul edilmedi',
      wrong_email_code: 'E-postadan girilen kod yanlış',
      unverified_email: 'E-posta adresi doğrulanmamış',
      throttled: 'Çok fazla deneme',
      disabled: 'Hesap devre dışı',
      expired: 'Erişim süresi doldu',
      waiting_for_approval: 'Hesap onay bekliyor',
      password_over: 'Parola doğru, ancak parolalar artık çalışmıyor',
      changed_meanwhile: 'Hesap aynı anda değiştirildi',
      upstream_identity_taken: 'Başka bir hesaba bağlı',
      upstream_other_person: 'Bağlı hesap değil',
      upstream_not_fresh: 'Kimlik sağlayıcısı yeniden oturum açılmasını istemedi',
    },
  },

  device: {
    on: (browser, system) => `${system} üzerinde ${browser}`,
    unknownOn: (system) => `${system} üzerinde bilinmeyen tarayıcı`,
    unknown: 'Bilinmeyen tarayıcı',
  },

  emails: {
    greeting: 'Merhaba,',
    ignore: 'Bu isteği siz yapmadıysanız bu e-postayı yok sayabilirsiniz.',
    notYou: 'Bu işlemi siz yapmadıysanız parolanızı hemen sıfırlayın:',
    notYouEither: 'Bu işlemi siz yapmadıysanız tanımadığınız her şeyi kaldırın ve parolanızı değiştirin:',
    lookAtSecurity: 'Güvenlik ayarlarını gözden geçir',
    finishSignUp: {
      subject: 'Hesabınızı oluşturmayı tamamlayın',
      text: 'Hesap kurulumunu tamamlamak için bu bağlantıyı açın. Bağlantı bir kez kullanılabilir ve 24 saat geçerlidir.',
      action: 'Hesap oluştur',
    },
    addressHasAccount: {
      subject: 'Zaten bir hesabınız var',
      text: 'Birisi, muhtemelen siz, bu e-posta adresiyle yeni bir hesap oluşturmaya çalıştı; ancak bu adrese ait bir hesap zaten var. Bağlantıyı açarak oturum açabilir veya parolanızı sıfırlayabilirsiniz.',
      action: 'Oturum aç',
    },
    resetPassword: {
      subject: 'Parolanızı sıfırlayın',
      text: 'Yeni bir parola belirlemek için bu bağlantıyı açın. Bağlantı bir kez kullanılabilir ve 30 dakika geçerlidir.',
      action: 'Parolayı sıfırla',
    },
    invitation: {
      subject: 'Davet edildiniz',
      text: (service) =>
        `${service} hesabı oluşturmaya davet edildiniz. Hesap kurulumunu tamamlamak için bu bağlantıyı açın. Bağlantı bir kez kullanılabilir ve 7 gün geçerlidir.`,
      textFrom: (inviter, service) =>
        `${inviter}, sizi ${service} hesabı oluşturmaya davet etti. Hesap kurulumunu tamamlamak için bu bağlantıyı açın. Bağlantı bir kez kullanılabilir ve 7 gün geçerlidir.`,
      action: 'Daveti kabul et',
    },
    noAccount: {
      subject: 'Bu e-posta adresine ait hesap yok',
      text: 'Birisi, muhtemelen siz, bu e-posta adresine ait hesabın parolasını sıfırlamaya çalıştı; ancak böyle bir hesap yok. Farklı bir e-posta adresiyle kaydolmuş olabilirsiniz.',
      action: 'Başka bir adres dene',
    },
    confirmAddress: {
      subject: 'E-posta adresinizi onaylayın',
      text: 'Bu e-posta adresini hesabınızda kullanmak için bu bağlantıyı açıp oturum açın. Bağlantı bir kez kullanılabilir ve 24 saat geçerlidir.',
      action: 'E-posta adresini onayla',
    },
    accountClaimed: {
      subject: 'Hesabınız sıfırlandı',
      text: 'Bu e-posta adresinin size ait olduğunu gösterdiniz. Bunu daha önce kimse yapmamıştı; hesabı başka biri kurmuş olabilir. Hesaptaki her şey kaldırıldı: parola, diğer oturum açma yolları, cihazlar ve uygulamaların erişimi.',
    },
    passwordChanged: {
      subject: 'Parolanız değiştirildi',
      text: 'Hesabınızın parolası değiştirildi ve diğer cihazlarınızdaki oturumlar kapatıldı.',
      action: 'Parolayı sıfırla',
    },
    setUpFactor: {
      subject: 'İki adımlı doğrulamayı kurun',
      text: 'Parolanızla oturum açtınız. İkinci doğrulama yönteminiz bu hizmete taşınamadı. Devam etmek için iki adımlı doğrulamayı yeniden kurun. Bağlantı 30 dakika geçerlidir.',
      action: 'Doğrulamayı kur',
      notYou:
        'Oturum açan siz değilseniz parolanızı başka biri biliyor. Bağlantıyı açmayın ve oturum açma sayfasında parolanızı sıfırlayın.',
    },
    passwordBreached: {
      subject: 'Parolanızı en kısa zamanda değiştirin',
      text: 'Hesabınızın parolası, başka hizmetlerdeki veri sızıntılarından elde edilen bir parola listesinde yer alıyor. Bu, birinin hesabınızda oturum açtığı anlamına gelmez, ancak saldırganlar bu tür listelerdeki parolaları dener. Başka hiçbir yerde kullanmadığınız yeni bir parola seçin:',
      action: 'Parolayı değiştir',
      after: 'Aynı parolayı başka yerlerde de kullanıyorsanız orada da değiştirin.',
    },
    addressChangeAsked: {
      subject: 'E-posta adresi değişikliği istendi',
      text: (email) =>
        `Birisi, hesabınızın e-posta adresinin şu adresle değiştirilmesini istedi: ${email}. Bu adrese gönderdiğimiz bağlantı açıldığında değişiklik yapılacak.`,
      action: 'Parolayı sıfırla',
    },
    addressChanged: {
      subject: 'E-posta adresiniz değiştirildi',
      text: (email) => `Hesabınızın yeni e-posta adresi: ${email}. Bu işlemi siz yapmadıysanız yöneticinize başvurun.`,
    },
    factorAdded: {
      texts: {
        authenticator_added: 'Hesabınıza bir kimlik doğrulama uygulaması eklendi.',
        passkey_added: 'Hesabınıza bir geçiş anahtarı eklendi.',
        recovery_codes_replaced: 'Hesabınız için yeni kurtarma kodları oluşturuldu. Eski kodlar artık geçerli değil.',
      },
      undo: 'Bu işlemi siz yapmadıysanız bu bağlantıyı açın. Böylece değişiklik geri alınır ve tüm cihazlardaki oturumlarınız kapatılır. Bağlantı bir kez kullanılabilir ve 7 gün geçerlidir.',
      action: 'Bunu ben yapmadım',
      ignore: 'Bu işlemi siz yaptıysanız başka bir şey yapmanız gerekmez.',
    },
    secondFactorChanged: {
      subject: 'Güvenlik ayarlarınız değiştirildi',
      authenticator_removed: 'Kimlik doğrulama uygulaması hesabınızdan kaldırıldı.',
      passkey_removed: 'Hesabınızdan bir geçiş anahtarı kaldırıldı.',
      all_factors_removed:
        'Parolanız dışındaki tüm oturum açma yöntemleri hesabınızdan kaldırıldı. İki adımlı doğrulama kapalı.',
      second_factors_removed:
        'Bir yönetici, kimlik doğrulama uygulamasını ve geçiş anahtarlarını hesabınızdan kaldırdı.',
    },
    identityLinked: (label) => `Artık hesabınızda ${label} ile oturum açabilirsiniz.`,
    wrongCodes: {
      subject: 'Birisi parolanızı biliyor olabilir',
      text: (device, at, ipAddress) =>
        `Birisi parolanızı doğru girdi, ancak ardından birkaç kez yanlış doğrulama kodu girdi. Son deneme: ${device}, ${at}, IP adresi ${ipAddress}. Oturum açılmadı.`,
      action: 'Parolayı sıfırla',
    },
    recoveryCodeUsed: {
      subject: 'Bir kurtarma kodu kullanıldı',
      text: (device, at, ipAddress) =>
        `Hesabınız için kurtarma kodlarınızdan biri kullanıldı: ${device}, ${at}, IP adresi ${ipAddress}.`,
    },
    newDevice: {
      subject: 'Hesabınızda yeni oturum açıldı',
      text: (device, at, ipAddress) =>
        `Yeni oturum: ${device}, ${at}, IP adresi ${ipAddress}. Daha önce bu tarayıcıdan oturum açılmamıştı.`,
      action: 'Parolayı sıfırla',
    },
    apiKeyCreated: {
      subject: 'Yeni API anahtarı',
      text: (name, fromCommandLine) =>
        fromCommandLine
          ? `Komut satırından “${name}” adlı bir API anahtarı oluşturuldu.`
          : `Hesabınızla “${name}” adlı bir API anahtarı oluşturuldu.`,
      permissions: {
        read: 'Bu anahtar, yöneticilerin görebildiği her şeyi okuyabilir.',
        write:
          'Bu anahtar; rolü olmayan kişileri, korumalı olmayan grupları, uygulamaları ve webhook’ları yönetebilir.',
        administrator: 'Bu anahtar, yöneticilerin yapabildiği her şeyi yapabilir.',
        people: 'Bu anahtar, rolü olmayan kişileri ve korumalı olmayan grupları yönetebilir.',
        applications: 'Bu anahtar, uygulamaları yönetebilir.',
        auditor: 'Bu anahtar, yöneticilerin görebildiği her şeyi okuyabilir ve hiçbir şeyi değiştiremez.',
      },
      expires: (day) => `Geçerliliği ${day} tarihinde sona erer.`,
      neverExpires: 'Süresiz olarak geçerlidir.',
      notYou: 'Bu anahtarı tanımıyorsanız iptal edin ve parolanızı değiştirin:',
      action: 'API anahtarlarını yönet',
    },
    adminAccessChanged: {
      given: {
        subject: 'Artık yönetici erişiminiz var',
        text: 'Artık bu hizmetteki kullanıcıları ve uygulamaları yönetebilirsiniz.',
        action: 'Konsolu aç',
      },
      removed: {
        subject: 'Yönetici erişiminiz kaldırıldı',
        text: 'Artık bu hizmetteki kullanıcıları ve uygulamaları yönetemezsiniz.',
        action: 'Hesap sayfasına git',
      },
      changed: {
        subject: 'Yönetim rolleriniz değişti',
        text: (roles: string) => `Bu hizmetteki rolleriniz artık şunlar: ${roles}.`,
        action: 'Konsolu aç',
      },
      roles: { administrator: 'Yönetici', people: 'Kullanıcılar', applications: 'Uygulamalar', auditor: 'Denetçi' },
      notExpected: 'Böyle bir değişiklik beklemiyorsanız bir yöneticiye başvurun.',
    },
    recoveryLinkMade: {
      subject: 'Hesabınız için kurtarma bağlantısı',
      text: 'Bir yönetici, hesabınız için yeni bir parola belirleme bağlantısı oluşturdu. Bağlantı bir kez kullanılabilir, 24 saat geçerlidir ve kullanıldığında tüm cihazlardaki oturumlarınızı kapatır. Yardım istemediyseniz yöneticinize haber verin ve hesap etkinliğinizi kontrol edin:',
      action: 'Etkinliği görüntüle',
    },
    accountCreated: {
      subject: 'Yeni hesabınız',
      text: (service) =>
        `Sizin için bir ${service} hesabı oluşturuldu. Hesap kurulumunu tamamlamak için bu bağlantıyı açın. Bağlantı bir kez kullanılabilir ve 7 gün geçerlidir.`,
      textFrom: (inviter, service) =>
        `${inviter}, sizin için bir ${service} hesabı oluşturdu. Hesap kurulumunu tamamlamak için bu bağlantıyı açın. Bağlantı bir kez kullanılabilir ve 7 gün geçerlidir.`,
      action: 'Kurulumu tamamla',
    },
    profileEdited: {
      subject: 'Profiliniz değiştirildi',
      text: (name) =>
        `Bir yönetici, profilinizi değiştirdi. Yeni adınız: ${name}. Böyle bir değişiklik beklemiyorsanız yöneticinize başvurun.`,
    },
    emailEdited: {
      subject: 'E-posta adresiniz değiştirildi',
      text: (email) =>
        `Bir yönetici, hesabınızın e-posta adresini ${email} olarak değiştirdi. Böyle bir değişiklik beklemiyorsanız yöneticinize başvurun.`,
    },
    accountDeleted: {
      subject: 'Hesabınız silindi',
      text: 'Hesabınız isteğiniz üzerine silindi. Uygulamaların artık hesabınıza erişimi yok.',
    },
  },

  approval: {
    title: 'Onay bekleniyor',
    text: 'Hesabınız onay bekliyor.',
    told: 'Oturum açabileceğiniz zaman size e-posta göndereceğiz.',
    needed: 'Ardından bir yöneticinin hesabınızı onaylaması gerekir.',
    fullTitle: 'Hesabınız oluşturulamadı',
    full: 'Şu anda yeni hesap oluşturulamıyor. Daha sonra tekrar deneyin.',
    emails: {
      approved: {
        subject: 'Hesabınız onaylandı',
        text: (service) => `${service} hesabınız onaylandı. Artık oturum açabilirsiniz.`,
        action: 'Oturum aç',
      },
      declined: {
        subject: 'Hesabınız onaylanmadı',
        text: (service) => `${service} hesabı isteğiniz reddedildi ve girdiğiniz bilgiler silindi. Yöneticinin mesajı:`,
      },
      waiting: {
        subject: 'Onay bekleyenler var',
        text: (count) =>
          plural(count, {
            one: '1 kişi, hesabının bir yönetici tarafından onaylanmasını bekliyor.',
            other: `${number(count)} kişi, hesabının bir yönetici tarafından onaylanmasını bekliyor.`,
          }),
        action: 'İstekleri incele',
      },
    },
  },
  signUpLinks: {
    linkNeeded: 'Hesap oluşturmak için bir kayıt bağlantısı gerekir. Yöneticinizden isteyin.',
    otherDomain: 'Bu e-posta adresiyle hesap oluşturamazsınız. Başka bir adres kullanın veya yöneticinize başvurun.',
    ended: {
      used_up: 'Bu kayıt bağlantısının kullanım hakkı doldu',
      expired: 'Bu kayıt bağlantısının süresi doldu',
      revoked: 'Bu kayıt bağlantısı iptal edildi',
    },
    endedText: 'Bu bağlantıyla artık hesap oluşturulamaz.',
  },

  recovery: {
    paused: {
      title: 'Duraklatılan oturum açma yöntemleri',
      lead: 'Bu yöntemler, parolanız sıfırlanmadan önceki 7 gün içinde eklendi. Siz karar verene kadar bunlarla oturum açılamaz.',
      names: {
        authenticator: 'Kimlik doğrulama uygulaması',
        passkey: (name) => `Geçiş anahtarı: “${name}”`,
        recovery_codes: 'Kurtarma kodları',
      },
      added: 'Eklenme tarihi',
      keep: 'Koru',
      keepNamed: (method) => `Koru: ${method}`,
      remove: 'Kaldır',
      removeNamed: (method) => `Kaldır: ${method}`,
    },
    review: {
      title: 'Hesabınızı gözden geçirin',
      lead: (day) =>
        `Parolanız ${day} tarihinde sıfırlandı ve tüm cihazlardaki oturumlarınız kapatıldı. Hesabınıza hâlâ nelerin erişebildiğini kontrol edin.`,
      methodsTitle: 'Kullanılan oturum açma yöntemleri',
      noMethods: 'Yalnızca parolanız.',
      authenticator: 'Kimlik doğrulama uygulaması',
      recoveryCodes: (count) => plural(count, { one: '1 kurtarma kodu', other: `${number(count)} kurtarma kodu` }),
      devicesTitle: 'Cihazlar',
      appsTitle: 'Bağlı uygulamalar',
      noApps: 'Bağlı uygulama yok.',
      keysTitle: 'Oluşturduğunuz API anahtarları',
      removeTitle: 'Tanımadığınız bir şey mi var?',
      removeLead:
        'Parolanız dışındaki tüm oturum açma yöntemlerini, tüm bağlı uygulamaları ve oluşturduğunuz tüm API anahtarlarını kaldırın ve diğer tüm cihazlardaki oturumları kapatın.',
      removesMethods: 'İki adımlı doğrulamayı yeniden kurana kadar yalnızca parolanızla oturum açarsınız.',
      remove: 'Diğer tüm erişimleri kaldır',
      doneTitle: 'Her şey doğru görünüyor mu?',
      done: 'İncelemeyi bitir',
    },
    undo: {
      title: 'Bunu siz yapmadınız mı?',
      lead: 'Bu değişikliği geri alın ve tüm cihazlardaki oturumlarınızı kapatın. Parolanızı başka biri biliyor olabilir, bu yüzden ardından parolanızı sıfırlayın.',
      submit: 'Geri al ve tüm oturumları kapat',
      doneTitle: 'Değişiklik geri alındı',
      done: 'Tüm cihazlardaki oturumlarınız kapatıldı. Bunu yapan kişi parolanızı hâlâ biliyor olabilir, bu yüzden parolanızı hemen sıfırlayın.',
      reset: 'Parolayı sıfırla',
    },
  },

  secondFactor: {
    setUpTitle: 'İki adımlı doğrulamayı kurun',
    setUpLead: 'Burada oturum açmak için iki adımlı doğrulama gerekiyor.',
    setUpLeadFor: (app) => `${app} uygulamasına devam etmek için iki adımlı doğrulama gerekiyor.`,
    withApp: 'Bunun yerine kimlik doğrulama uygulaması kullan',
    code: 'Uygulamadaki 6 haneli kod',
    password: 'Mevcut parola',
    passwordHint: 'Siz olduğunuzu doğrulayın.',
    submit: 'Etkinleştir ve devam et',
    wrongCode: 'Bu kod yanlış. Kodlar 30 saniyede bir değişir; telefonunuzun saatinin doğru olduğundan emin olun.',
    verifyTitle: 'İki adımlı doğrulama',
    verifyLead: 'Kimlik doğrulama uygulamanızdaki kodu veya bir kurtarma kodu girin.',
    verifyLeadPasskeyOnly: 'Geçiş anahtarınızı kullanın veya bir kurtarma kodu girin.',
    signingInAs: (email) => `${email} hesabıyla oturum açılıyor.`,
    signedInAs: (email) => `${email} hesabıyla oturum açıldı.`,
    signOut: 'Oturumu kapat',
    codesTitle: 'Kurtarma kodlarınızı kaydedin',
    codesLead:
      'Cihazınız yanınızda olmadığında her kodla bir kez oturum açabilirsiniz. Kodları şimdi kaydedin, bir daha gösterilmeyecek.',
    codesDone: 'Kurtarma kodlarımı kaydettim',
    usedTitle: 'Bir kurtarma kodu kullandınız',
    usedLeft: (count) => plural(count, { one: '1 kodunuz kaldı.', other: `${number(count)} kodunuz kaldı.` }),
    lost: 'Telefonunuzu mu kaybettiniz?',
    remove: 'Kaldırın',
    continue: 'Devam et',
  },

  passwordless: {
    create: 'Geçiş anahtarı oluştur',
    lead: 'Parmak iziniz, yüzünüz veya ekran kilidinizle oturum açın. Hatırlamanız gereken bir şey yok.',
    withPassword: 'Bunun yerine parola kullan',
    failed: 'Geçiş anahtarı oluşturulamadı. Tekrar deneyin.',
    eitherTitle: 'Geçiş anahtarı oluşturun veya parola belirleyin',
    notByEmail:
      'İki adımlı doğrulama kullandığınız için geçiş anahtarı oluşturmaya e-postadaki bağlantı yetmez. Geçiş anahtarınızla oturum açın veya yöneticinize başvurun.',
    createdTitle: 'Geçiş anahtarı oluşturuldu',
    created:
      'Geçiş anahtarınızla oturum açın. Son 7 günde eklenen oturum açma yöntemleri, siz gözden geçirene kadar duraklatıldı.',
    over: 'Parolalar artık burada çalışmıyor. Başka bir yolla oturum açın veya e-postadaki bir bağlantıyla geçiş anahtarı oluşturun.',
    byEmail: 'E-posta ile geçiş anahtarı oluştur',
    byEmailLead:
      'Size geçiş anahtarı oluşturmanız için e-postayla bir bağlantı göndereceğiz. Bağlantı bir kez kullanılabilir ve 30 dakika geçerlidir.',
    ask: 'Burada parolaların yerini geçiş anahtarları alıyor. Geçiş anahtarıyla parmak iziniz, yüzünüz veya ekran kilidinizi kullanarak oturum açarsınız.',
    askUntil: (day) => `Parolanız şu tarihe kadar çalışır: ${day}.`,
    notNow: 'Şimdi değil',
    remove: 'Parolayı kaldır',
    removeLead: 'Yalnızca geçiş anahtarınızla oturum açın. İstediğiniz zaman yeniden parola belirleyebilirsiniz.',
    removeFor: 'Parolalar artık burada kullanılmıyor. Geçiş anahtarınızla oturum açacaksınız.',
    removeNeeds:
      'Parolanızı kaldırmak için önce bir geçiş anahtarı ekleyin ve kurtarma kodlarınızı kaydedin veya ikinci bir geçiş anahtarı ekleyin.',
    none: 'Parolanız yok. Geçiş anahtarıyla oturum açıyorsunuz.',
    notUsed: 'Burada parola kullanılmıyor.',
    reviewLead: (day) =>
      `Hesabınıza yeniden erişmek için ${day} tarihinde bir geçiş anahtarı oluşturdunuz ve tüm cihazlardaki oturumlarınız kapatıldı. Hesabınıza hâlâ nelerin erişebildiğini kontrol edin.`,
    linkEmail: {
      subject: 'Geçiş anahtarı oluşturun',
      text: 'Hesabınız için geçiş anahtarı oluşturmak üzere bu bağlantıyı açın. Bağlantı bir kez kullanılabilir ve 30 dakika geçerlidir.',
      action: 'Geçiş anahtarı oluştur',
    },
    removedEmail: {
      subject: 'Parolanız kaldırıldı',
      text: 'Hesabınızın parolası kaldırıldı. Artık geçiş anahtarıyla oturum açıyorsunuz. Diğer cihazlarınızdaki oturumlarınız kapatıldı.',
    },
    reviewRemoveLead:
      'Yeni geçiş anahtarınız dışındaki tüm oturum açma yöntemlerini, tüm bağlı uygulamaları ve oluşturduğunuz tüm API anahtarlarını kaldırın ve diğer tüm cihazlardaki oturumları kapatın.',
  },

  signOut: {
    title: (service) => `${service} oturumunuz kapatılsın mı?`,
    askedBy: (app) => `${app} uygulaması, oturumunuzu kapatmak istiyor.`,
    text: 'Bu tarayıcıdaki oturumunuz kapatılacak. Açık uygulamalardaki oturumlarınız devam edebilir.',
    confirm: 'Oturumu kapat',
    stay: 'Oturumum açık kalsın',
    noReturn: {
      hint_invalid: notConfirmed,
      client_mismatch: notConfirmed,
      client_missing: 'Sizi buraya hangi uygulamanın yönlendirdiğini bilmiyoruz, bu yüzden sizi geri gönderemedik.',
      unknown_client: 'Sizi buraya yönlendiren uygulama bu hizmete kayıtlı değil, bu yüzden sizi geri göndermedik.',
      client_revoked:
        'Bir yönetici bu uygulamada oturum açılmasını engelledi, bu yüzden sizi uygulamaya geri göndermedik.',
      post_logout_redirect_uri_mismatch:
        'Uygulama, sizi kendisi için kayıtlı olmayan bir URL’ye göndermemizi istedi. Güvenliğiniz için işlemi burada durdurduk.',
    },
    noReturnTodo:
      'Geri dönmek için uygulamayı kendiniz açın. Bu durum devam ederse uygulamanın geliştiricisine başvurun ve aşağıdaki referans kodunu iletin.',
  },

  upstreams: {
    continueWith: (label) => `${label} ile devam et`,
    leavingTitle: (label) => `${label} sayfasına git`,
    leavingText: (label) => `${label} sayfasına yönlendiriliyorsunuz.`,
    failedTitle: (label) => `${label} ile oturum açılamadı`,
    problems: {
      expired: () =>
        'Bu oturum açma işleminin süresi doldu veya işlem başka bir tarayıcıda başlatıldı. Baştan başlayın.',
      canceled: (label) => `${label} ile oturum açma iptal edildi.`,
      unavailable: (label) => `Şu anda ${label} ile oturum açılamıyor. Başka bir yolla oturum açın.`,
      unreachable: (label) =>
        `${label} yanıt vermedi. Birkaç dakika sonra yeniden deneyin veya başka bir yolla oturum açın.`,
      invalid: (label) =>
        `${label} kabul edilemeyen bir yanıt gönderdi. Yeniden deneyin. Sorun sürerse yöneticinize başvurun.`,
      notFresh: (label) =>
        `${label} yeniden oturum açmanızı istemedi, bu nedenle siz olduğunuz doğrulanmadı. Yeniden deneyin.`,
      identityTaken: (label) => `Bu ${label} hesabı burada başka bir hesaba bağlı.`,
      otherPerson: (label) => `Bu ${label} hesabı, hesabınıza bağlı olan hesap değil.`,
      refused: (label) => `Bu ${label} hesabıyla burada oturum açamazsınız.`,
    },
    linkTitle: 'Zaten bir hesabınız var',
    linkText: (email, label) =>
      `${email} için zaten bir hesap var. Önce başka bir yolla oturum açın, ardından güvenlik sayfasında ${label} hesabını bağlayın.`,
    noAccountTitle: 'Hesap bulunamadı',
    noAccountText: (label) =>
      `Bu ${label} hesabı burada hiçbir hesaba bağlı değil. Başka bir yolla oturum açın, ardından hesabınızın güvenlik sayfasında bağlayın.`,
    otherWay: 'Başka bir yolla oturum aç',
    tryAgain: (label) => `${label} ile yeniden dene`,
  },

  chooseAccount: {
    title: 'Hesap seçin',
    continueTo: (app) => `${app} uygulamasına devam edin`,
    continue: 'Bu hesapla devam et',
    other: 'Başka bir hesap kullan',
  },

  noAccess: {
    title: (app) => `${app} uygulamasına erişiminiz yok`,
    signedInAs: 'Oturum açılan hesap:',
    text: 'Bu hesap, uygulamayı kullanabilecek kişiler arasında değil. Yöneticinizden erişim isteyin veya başka bir hesap kullanın.',
    other: 'Başka bir hesap kullan',
    back: (app) => `${app} uygulamasına dön`,
  },

  consent: {
    title: (app) => `${app} uygulamasında oturum açın`,
    lead: (app) => `${app} uygulaması şu bilgileri alacak:`,
    changed: (app) => `${app} uygulaması artık farklı bilgiler istiyor. Devam etmeden önce gözden geçirin.`,
    signedInAs: 'Oturum açılan hesap:',
    notYou: 'Siz değil misiniz?',
    returnTo: (host) => `${host} adresine yönlendirileceksiniz.`,
    approve: 'İzin ver',
    cancel: 'İptal',
    later: 'Erişimi istediğiniz zaman “Bağlı uygulamalar” bölümünden kaldırabilirsiniz.',
    noPassword: (app) => `${app} uygulaması, parolanızı hiçbir zaman görmez.`,
  },

  scopes: {
    openid: { heading: 'Kimliğiniz', phrase: 'kimliğiniz' },
    profile: { heading: 'Profiliniz', phrase: 'profiliniz' },
    email: { heading: 'E-posta adresiniz', phrase: 'e-posta adresiniz' },
  },
  identityHint: 'Geri döndüğünüzde uygulamanın sizi tanımasını sağlayan benzersiz bir kimlik',
  accountId: 'Hesap kimliği',
  profileChanged: 'Son güncelleme',
  emailUnverified: 'doğrulanmadı',
  claims: {
    name: 'Ad soyad',
    given_name: 'Ad',
    family_name: 'Soyad',
    preferred_username: 'Kullanıcı adı',
    picture: 'Profil resmi',
    locale: 'Dil',
  },
  furtherClaims: {
    enteredByYou: 'siz girdiniz',
    notSet: 'Belirtilmemiş',
    none: 'Yok',
    yes: 'Evet',
    no: 'Hayır',
    more: (count) => plural(count, { one: 've 1 tane daha', other: `ve ${number(count)} tane daha` }),
    less: 'Daha az göster',
  },

  apps: {
    lead: 'Bu uygulamalarda bu hesapla oturum açabilirsiniz.',
    none: 'Bağlı uygulama yok.',
    noneHint: (service) => `${service} ile oturum açtığınız uygulamalar burada görünür.`,
    sees: 'Görebildiği bilgiler',
    since: 'Bağlanma tarihi',
    lastUsed: 'Son kullanım',
    remove: 'Erişimi kaldır',
    removeNamed: (app) => `${app} için erişimi kaldır`,
    removed: 'Erişim kaldırıldı.',
    notConnected: 'Bu uygulamanın bağlantısı zaten kesilmiş.',
    removeHint: 'Erişimi kaldırdıktan sonra uygulamada yeniden oturum açtığınızda önce izniniz istenir.',
  },

  yourApps: {
    none: 'Henüz uygulama yok',
    noneHint: 'Buradan açabileceğiniz uygulamalar bu sayfada görünür.',
    more: 'Daha fazla göster',
    search: 'Uygulama ara',
    find: 'Ara',
    notFound: 'Eşleşen uygulama yok',
    all: 'Tüm uygulamaları göster',
    profileHint: 'Adınız, profil resminiz ve e-posta adresiniz',
    securityHint: 'Parolanız, geçiş anahtarlarınız ve iki adımlı doğrulama',
  },

  signedOut: {
    elsewhere:
      'Oturum açmak için kullandığınız hizmetteki oturumunuz hâlâ açık olabilir. Bu cihazı paylaşıyorsanız oradaki oturumunuzu da kapatın.',
    title: 'Oturumunuz kapatıldı',
    text: (service) =>
      `Bu tarayıcıdaki ${service} oturumunuz kapatıldı. Açık uygulamalardaki oturumlarınız devam edebilir.`,
    again: 'Tekrar oturum aç',
  },

  inactivity: {
    disabled: 'Hesap, kullanılmadığı için devre dışı bırakıldı',
    email: {
      subject: 'Hesabınız yakında devre dışı bırakılacak',
      text: (at) =>
        `Hesabınızı uzun süredir kullanmadınız. Hesabınızı korumak için şu tarihten önce oturum açın veya bir uygulama kullanın: ${at}. Aksi takdirde hesabınız devre dışı bırakılacak.`,
      action: 'Hesabınızı korumak için oturum açın',
    },
  },

  accessRequests: {
    text: 'Bu hesap, uygulamayı kullanabilecek kişiler arasında değil. Erişim isteyebilir veya başka bir hesap kullanabilirsiniz.',
    note: 'Gerekçe (isteğe bağlı)',
    noteHint: (most) => `En fazla ${most} karakter. İsteğinize karar verecek kişiler bunu okuyabilir.`,
    noteProblem: (most) => `En fazla ${most} karakterlik düz metin kullanın.`,
    ask: 'Erişim iste',
    asked: (day) => `Erişim isteğinizi ${day} tarihinde gönderdiniz. İsteğiniz henüz karara bağlanmadı.`,
    told: 'Karar verildiğinde size e-posta göndereceğiz.',
    declined: 'İsteğiniz reddedildi. Bir gün sonra yeniden isteyebilirsiniz.',
    tooMany: 'Bugün çok fazla istek gönderdiniz. Yarın yeniden deneyin.',
    emails: {
      waiting: {
        subject: 'Erişim istekleri',
        text: 'Bu kişiler erişim istiyor:',
        action: 'İstekleri incele',
      },
      allowed: {
        subject: (app) => `${app} uygulamasına erişiminiz var`,
        text: (app) => `İsteğiniz onaylandı. Artık ${app} uygulamasını kullanabilirsiniz.`,
        action: (app) => `${app} uygulamasını aç`,
      },
      declined: {
        subject: 'Erişim isteğiniz reddedildi',
        text: (app) => `${app} uygulamasına erişim isteğiniz reddedildi.`,
        reason: 'Belirtilen gerekçe:',
      },
    },
  },

  ends: {
    title: 'Erişimin sonu',
    own: (at) => `Erişiminiz şu tarihte sona erer: ${at}.`,
    line: (what, at) => `${what}: ${at}`,
    email: {
      subject: 'Erişiminiz yakında sona eriyor',
      text: 'Bu erişim yakında sona eriyor. Hâlâ ihtiyacınız varsa yöneticinize başvurun.',
      account: 'Hesabınız',
      membership: (name) => `“${name}” grubu üyeliği`,
      application: (name) => `“${name}” erişimi`,
      action: 'Hesabınıza gidin',
    },
    list: {
      subject: 'Yakında sona eren erişimler',
      text: 'Bu erişimler önümüzdeki 7 gün içinde sona eriyor. Uzatmak için yeni bir tarih belirleyin.',
      account: (person) => `${person}, hesap`,
      membership: (person, group) => `${person}, “${group}” grubu`,
      application: (person, app) => `${person}, “${app}” uygulaması`,
      groupApplication: (group, app) => `“${group}” grubu, “${app}” uygulaması`,
      more: (count) => plural(count, { one: 'Ve 1 tane daha.', other: `Ve ${number(count)} tane daha.` }),
      action: 'Kimlerin erişiminin yakında sona erdiğini görün',
    },
  },

  reviews: {
    due: {
      subject: (name) => `İncelemenin son tarihi yaklaşıyor: ${name}`,
      text: (name, at) =>
        `“${name}” erişim incelemesinin son tarihi: ${at}. Uygulamalarınıza kimlerin erişmeye devam edeceğine karar verin.`,
      left: (count) => plural(count, { one: `1 karar kaldı.`, other: `${number(count)} karar kaldı.` }),
      action: 'İncelemeyi aç',
    },
  },
  directories: {
    refused: {
      subject: 'Bir dizin, yönetim rolü olan birini değiştirmeye çalıştı',
      text: 'Bir dizin, yönetim rolü olan kullanıcıları değiştirmeye çalıştı. Onları yalnızca yöneticiler değiştirebilir, bu nedenle hiçbir şey değişmedi. İstek sayısı:',
      after:
        'Biri ayrıldıysa hesabını devre dışı bırakın. Bunu beklemiyorduysanız dizinin SCIM belirtecini iptal edin.',
      action: 'Olayları görüntüle',
    },
  },

  errors: {
    reference: 'Referans kodu',
    home: 'Hesap sayfasına git',
    unknownClient: {
      title: 'Bu oturum açma bağlantısı geçersiz',
      text: 'Sizi buraya yönlendiren uygulama bu hizmete kayıtlı değil. Uygulamayla hiçbir bilgi paylaşılmadı.',
      todo: 'Uygulamaya dönüp tekrar deneyin. Bu durum devam ederse uygulamanın geliştiricisine başvurun ve aşağıdaki referans kodunu iletin.',
    },
    redirectUri: {
      title: 'Bu oturum açma bağlantısı geçersiz',
      text: 'Uygulama, sizi kendisi için kayıtlı olmayan bir URL’ye göndermemizi istedi. Güvenliğiniz için işlemi burada durdurduk. Hiçbir bilgi paylaşılmadı.',
      todo: 'Uygulamaya dönüp tekrar deneyin. Bu durum devam ederse uygulamanın geliştiricisine başvurun ve aşağıdaki referans kodunu iletin. Yöneticiler bu kodla her iki URL’yi de görebilir.',
    },
    clientRevoked: {
      title: 'Bu uygulama artık kullanılamıyor',
      text: 'Bir yönetici bu uygulamada oturum açılmasını engelledi. Hesabınız bundan etkilenmedi.',
      todo: 'Uygulamanın geliştiricisine veya yöneticinize başvurun.',
    },
    tooManyApprovals: {
      title: 'Çok fazla oturum açma işlemi',
      text: 'Uygulamalarda art arda çok fazla oturum açtınız. Hiçbir bilgi paylaşılmadı.',
      todo: 'Birkaç saniye bekleyin, ardından uygulamaya dönüp tekrar deneyin. Bu durum devam ederse uygulamanın geliştiricisine başvurun.',
    },
    tooManyDownloads: {
      title: 'Çok fazla indirme',
      text: 'Verilerinizi içeren başka bir indirme işlemi sürüyor veya şu anda çok fazla kişi verilerini indiriyor.',
      todo: 'Bir dakika bekleyip tekrar deneyin.',
    },
    formExpired: {
      title: 'Bu sayfanın süresi doldu',
      text: 'Sayfa başka bir tarayıcıda açılmış, sonradan oturumunuz açılmış veya kapatılmış ya da tarayıcınız çerezleri engelliyor olabilir. Hiçbir şey değiştirilmedi.',
      todo: 'Geri dönüp yeniden başlayın. Bu durum devam ederse bu site için çerezlere izin verin.',
    },
    foreignForm: {
      title: 'Bu istek başka bir siteden geldi',
      text: 'Başka bir site bu formu sizin adınıza göndermeye çalıştı. Hiçbir şey değiştirilmedi.',
      todo: (baseUrl) => `Bu isteği siz yaptıysanız ${baseUrl} adresini açıp orada tekrar deneyin.`,
    },
    notAdministrator: {
      title: 'Yönetici erişimi gerekiyor',
      text: 'Hesabınızla bu sayfayı görüntüleyemezsiniz.',
      todo: 'Bir yöneticiden erişim isteyin veya başka bir hesapla oturum açın.',
    },
    otherAccount: {
      title: 'Bu bağlantı başka bir hesap için',
      text: 'Bu değişikliği isteyen hesaptan farklı bir hesapla oturum açtınız. Hiçbir şey değiştirilmedi.',
      todo: 'Oturumu kapatın, diğer hesapla oturum açın ve bağlantıyı yeniden açın.',
    },
    badRequest: {
      title: 'İsteği okuyamadık',
      text: 'İstek hatalı biçimlendirilmiş. Hiçbir şey değiştirilmedi.',
      todo: 'Geri dönüp tekrar deneyin.',
    },
    notFound: {
      title: 'Sayfa bulunamadı',
      text: 'Bağlantı yanlış yazılmış veya sayfa kaldırılmış olabilir.',
      todo: 'URL’yi kontrol edin veya hesabınıza gidin.',
    },
    methodNotAllowed: {
      title: 'Bu işlem burada yapılamıyor',
      text: 'Bu URL bu tür istekleri kabul etmiyor.',
      todo: 'Geri dönüp tekrar deneyin.',
    },
    tooLarge: {
      title: 'İstek çok büyük',
      text: 'İstek, bu hizmetin kabul ettiğinden daha büyük. Hiçbir şey değiştirilmedi.',
      todo: 'Geri dönüp tekrar deneyin. Sizi buraya bir uygulama yönlendirdiyse uygulamanın geliştiricisine başvurun.',
    },
    busy: {
      title: 'Şu anda yoğunluk yaşıyoruz',
      text: 'Hizmet şu an yanıt veremiyor. Hiçbir şey değiştirilmedi.',
      todo: 'Birkaç saniye bekleyip sayfayı yenileyin.',
    },
    outcomeUnknown: {
      title: 'İşlemin tamamlanıp tamamlanmadığını bilmiyoruz',
      text: 'Kayıt sırasında veritabanı bağlantımız kesildi. Değişikliğiniz kaydedilmiş olabilir.',
      todo: 'Birkaç saniye bekleyin ve tekrar denemeden önce kontrol edin.',
    },
    fault: {
      title: 'Bir sorun oluştu',
      text: 'Sorun bizden kaynaklanıyor. Hata günlüğe kaydedildi.',
      todo: 'Tekrar deneyin. Bu durum devam ederse yöneticinize başvurun ve aşağıdaki referans kodunu iletin.',
    },
  },
};
