// Japanese, Korean, Simplified Chinese and Modern Standard Arabic, which is written from right to left.

import type { Texts } from '../page.ts';

export const ja: Texts = {
  titles: {
    forbidden: 'このアカウントではこのページを開けません',
    unknown_host: 'ここにはアプリが設定されていません',
    insecure: 'このページはhttpsで開いてください',
    no_cookie: 'ログイン用のCookieがありません',
    sign_in_failed: 'ログインできませんでした',
    canceled: 'ログインはキャンセルされました',
    unavailable: '現在、ログインできません',
    signed_in: 'ログインしています',
    sign_out: 'ログアウトしますか？',
    signed_out: 'ログアウトしました',
    not_found: 'ページが見つかりません',
  },
  texts: {
    forbidden: '管理者にアクセス権をリクエストするか、別のアカウントを使用してください。',
    unknown_host: 'URLを確認してください。正しい場合は、管理者にお問い合わせください。',
    insecure: 'このアプリは安全な接続でのみ利用できます。アドレスバーの `http://` を `https://` に変更してください。',
    no_cookie:
      'ログインの開始時に設定されたCookieが、ブラウザから送り返されませんでした。このサイトのCookieを許可してもう一度試すか、ログインを開始したブラウザでリンクを開いてください。',
    sign_in_failed:
      '時間がかかりすぎたか、すでに完了しているか、エラーが発生したため、ログインできませんでした。もう一度お試しください。問題が解決しない場合は、管理者にお問い合わせください。',
    canceled: 'このアプリを開くには、ログインが必要です。',
    unavailable: 'ログインサービスが応答していません。数秒待ってから、もう一度お試しください。',
    sign_out: 'このブラウザでログアウトします。開いているアプリでは、ログイン状態が続くことがあります。',
    signed_out: 'このアプリをもう一度開くには、ログインしてください。',
    not_found: 'リンクが間違っているか、ページが削除された可能性があります。',
  },
  forAdministrators: {
    unknown_host: '管理者の方へ：このホストを `latchkey gate` の設定ファイルに追加してください。',
    insecure:
      '管理者の方へ：URLがすでに `https://` で始まっている場合は、プロキシが `X-Forwarded-Proto: https` を送信するように設定してください。',
  },
  signedInAs: 'ログイン中のアカウント',
  actions: {
    signIn: 'ログイン',
    signOut: 'ログアウト',
    otherAccount: '別のアカウントを使用',
    tryAgain: 'もう一度試す',
    continue: '続ける',
    cancel: 'キャンセル',
  },
};

export const ko: Texts = {
  titles: {
    forbidden: '이 계정으로는 이 페이지를 열 수 없습니다',
    unknown_host: '여기에 설정된 앱이 없습니다',
    insecure: '이 페이지를 https로 여세요',
    no_cookie: '로그인 쿠키가 없습니다',
    sign_in_failed: '로그인하지 못했습니다',
    canceled: '로그인이 취소되었습니다',
    unavailable: '지금은 로그인할 수 없습니다',
    signed_in: '로그인되어 있습니다',
    sign_out: '로그아웃하시겠습니까?',
    signed_out: '로그아웃되었습니다',
    not_found: '페이지를 찾을 수 없습니다',
  },
  texts: {
    forbidden: '관리자에게 액세스 권한을 요청하거나 다른 계정을 사용하세요.',
    unknown_host: 'URL을 확인하세요. URL이 올바르면 관리자에게 문의하세요.',
    insecure: '이 앱은 보안 연결로만 사용할 수 있습니다. 주소 표시줄에서 `http://` 부분을 `https://` 주소로 바꾸세요.',
    no_cookie:
      '로그인을 시작할 때 받은 쿠키를 브라우저가 보내지 않았습니다. 이 사이트의 쿠키를 허용한 후 다시 시도하거나, 로그인을 시작한 브라우저에서 링크를 여세요.',
    sign_in_failed:
      '로그인하는 데 시간이 너무 오래 걸렸거나, 이미 완료된 로그인이거나, 오류가 발생했습니다. 다시 시도하세요. 문제가 계속되면 관리자에게 문의하세요.',
    canceled: '이 앱을 열려면 로그인해야 합니다.',
    unavailable: '로그인 서비스가 응답하지 않습니다. 몇 초 기다린 후 다시 시도하세요.',
    sign_out: '이 브라우저에서 로그아웃됩니다. 열려 있는 앱에서는 로그인 상태가 유지될 수 있습니다.',
    signed_out: '이 앱을 다시 열려면 로그인하세요.',
    not_found: '링크가 잘못되었거나 페이지가 더 이상 존재하지 않습니다.',
  },
  forAdministrators: {
    unknown_host: '관리자 안내: 이 호스트를 `latchkey gate` 구성 파일에 추가하세요.',
    insecure:
      '관리자 안내: URL이 이미 `https://`로 시작한다면 프록시에서 `X-Forwarded-Proto: https` 헤더를 보내야 합니다.',
  },
  signedInAs: '로그인한 계정',
  actions: {
    signIn: '로그인',
    signOut: '로그아웃',
    otherAccount: '다른 계정 사용',
    tryAgain: '다시 시도',
    continue: '계속',
    cancel: '취소',
  },
};

export const zhHans: Texts = {
  titles: {
    forbidden: '此账号无法打开此页面',
    unknown_host: '此处未配置应用',
    insecure: '请使用 https 打开此页面',
    no_cookie: '缺少登录 Cookie',
    sign_in_failed: '登录失败',
    canceled: '登录已取消',
    unavailable: '目前无法登录',
    signed_in: '您已登录',
    sign_out: '要退出登录吗？',
    signed_out: '您已退出登录',
    not_found: '找不到页面',
  },
  texts: {
    forbidden: '请向管理员申请访问权限，或使用其他账号。',
    unknown_host: '请检查网址。如果网址正确，请联系管理员。',
    insecure: '此应用只能通过安全连接访问。请在地址栏中将 `http://` 改为 `https://`。',
    no_cookie:
      '您的浏览器没有发回开始登录时收到的 Cookie。请允许此网站使用 Cookie 后重试，或在开始登录的浏览器中打开链接。',
    sign_in_failed: '此次登录用时过长、已经完成，或发生了错误。请重试。如果问题持续存在，请联系管理员。',
    canceled: '您需要登录才能打开此应用。',
    unavailable: '登录服务没有响应。请等待几秒钟，然后重试。',
    sign_out: '您将在此浏览器中退出登录。您已打开的应用可能仍会保持登录状态。',
    signed_out: '如需再次打开此应用，请登录。',
    not_found: '链接可能有误，或者页面已不存在。',
  },
  forAdministrators: {
    unknown_host: '管理员请注意：请将此主机添加到 `latchkey gate` 的配置文件中。',
    insecure: '管理员请注意：如果网址已经以 `https://` 开头，则代理必须发送 `X-Forwarded-Proto: https`。',
  },
  signedInAs: '当前账号',
  actions: {
    signIn: '登录',
    signOut: '退出登录',
    otherAccount: '使用其他账号',
    tryAgain: '重试',
    continue: '继续',
    cancel: '取消',
  },
};

export const ar: Texts = {
  titles: {
    forbidden: 'لا يمكن لهذا الحساب فتح هذه الصفحة',
    unknown_host: 'لم يتم إعداد أي تطبيق هنا',
    insecure: 'افتح هذه الصفحة عبر https',
    no_cookie: 'ملف تعريف الارتباط لتسجيل الدخول مفقود',
    sign_in_failed: 'تعذّر تسجيل دخولك',
    canceled: 'أُلغي تسجيل الدخول',
    unavailable: 'لا يمكن تسجيل الدخول حاليًا',
    signed_in: 'تم تسجيل دخولك',
    sign_out: 'هل تريد تسجيل الخروج؟',
    signed_out: 'تم تسجيل خروجك',
    not_found: 'لم يتم العثور على الصفحة',
  },
  texts: {
    forbidden: 'اطلب إذن الوصول من المشرف أو استخدِم حسابًا آخر.',
    unknown_host: 'تحقّق من عنوان URL. إذا كان صحيحًا، تواصَل مع المشرف.',
    insecure: 'لا يتوفّر هذا التطبيق إلا عبر اتصال آمن. في شريط العنوان، غيّر `http://` إلى `https://`.',
    no_cookie:
      'لم يُعِد متصفّحك إرسال ملف تعريف الارتباط الذي تلقّاه عند بدء تسجيل الدخول. اسمح بملفات تعريف الارتباط لهذا الموقع وأعِد المحاولة، أو افتح الرابط في المتصفّح الذي بدأت فيه.',
    sign_in_failed:
      'استغرقت عملية تسجيل الدخول هذه وقتًا طويلاً، أو سبق إكمالها، أو حدث خطأ. أعِد المحاولة. إذا تكرّر ذلك، تواصَل مع المشرف.',
    canceled: 'عليك تسجيل الدخول لفتح هذا التطبيق.',
    unavailable: 'لا تستجيب خدمة تسجيل الدخول. انتظِر بضع ثوانٍ، ثم أعِد المحاولة.',
    sign_out: 'سيتم تسجيل خروجك في هذا المتصفّح. قد يظل تسجيل دخولك ساريًا في التطبيقات المفتوحة.',
    signed_out: 'سجّل الدخول لفتح هذا التطبيق مجددًا.',
    not_found: 'ربما كُتب الرابط بشكل غير صحيح أو لم تعُد الصفحة موجودة.',
  },
  forAdministrators: {
    unknown_host: 'للمشرفين: أضِف هذا المضيف إلى ملف إعدادات `latchkey gate`.',
    insecure:
      'للمشرفين: إذا كان عنوان URL يبدأ بـ `https://` بالفعل، فيجب أن يرسل الخادم الوكيل `X-Forwarded-Proto: https`.',
  },
  signedInAs: 'تم تسجيل الدخول باسم',
  actions: {
    signIn: 'تسجيل الدخول',
    signOut: 'تسجيل الخروج',
    otherAccount: 'استخدام حساب آخر',
    tryAgain: 'إعادة المحاولة',
    continue: 'متابعة',
    cancel: 'إلغاء',
  },
};
