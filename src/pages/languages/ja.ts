// Japanese. Names of applications stand in 「」; a space sets email addresses and URLs apart, so that mail programs don't
// take the words after them for a part of the link.

import type { Catalogue } from './en.ts';
import { wording } from './wording.ts';

const { number } = wording<'other'>('ja');

const waitingTime = (minutes: number) => {
  if (minutes <= 90) return `${number(minutes)}分`;
  const hours = Math.ceil(minutes / 60);
  if (hours <= 48) return `${number(hours)}時間`;
  return `${number(Math.ceil(hours / 24))}日`;
};

const notConfirmed = '移動元のアプリを確認できなかったため、アプリには戻りませんでした。';

export const ja: Catalogue = {
  skipToContent: 'メインコンテンツへスキップ',
  dismiss: '閉じる',
  title: (page, service) => `${page} - ${service}`,
  languagePicker: '言語',
  links: { support: 'ヘルプ', terms: '利用規約', privacy: 'プライバシーポリシー' },

  signIn: {
    title: 'ログイン',
    continueTo: (app) => `ログインして「${app}」に進みます`,
    toAccount: 'アカウント情報を入力してください',
    email: 'メールアドレス',
    password: 'パスワード',
    submit: 'ログイン',
    failed: 'メールアドレスまたはパスワードが正しくありません。',
    throttled: (minutes) =>
      `ログインの失敗が続いたため、一時的に制限されています。${waitingTime(minutes)}後にもう一度お試しください。`,
    incomplete: 'メールアドレスとパスワードを入力してください。',
    forgotten: 'パスワードをお忘れですか？',
    create: 'アカウントを作成',
    passkey: 'パスキーでログイン',
    passkeyFailed: 'パスキーを確認できませんでした。もう一度試すか、パスワードを使用してください。',
    keep: 'ログイン状態を保持する',
  },

  emailCodes: {
    send: 'コードをメールで受け取る',
    title: 'メールをご確認ください',
    lead: (email) =>
      `${email} にメールを送信しました。メールに記載されたコードを入力してください。コードは10分間、このブラウザで1回だけ使用できます。`,
    code: 'コード',
    again: '新しいコードを送信',
    usePassword: 'パスワードを使用',
    wrong: 'コードが正しくないか、有効期限が切れています。',
    spent: '正しくないコードが何度も入力されました。新しいコードを送信してください。',
    recoveryTitle: '管理者にお問い合わせください',
    recovery:
      'メールアドレスがまだ確認されておらず、このアカウントでは2段階認証が有効になっています。ほかの人が設定した可能性があります。管理者に、2段階認証の解除と復旧用リンクの発行を依頼してください。',
    proofLead: (email) => `${email} にコードを送信します。今後15分間は確認を求められません。`,
    reviewLead: (day) =>
      `${day}にメールアドレスが確認されました。それ以前に設定されたパスワードなどは、他の人が設定した可能性があるため削除されました。現在アカウントにアクセスできるログイン方法、デバイス、アプリを確認してください。`,
    reviewMethods: 'メールのコードのみです。',
    email: {
      subjects: { sign_in: 'ログイン用コード', proof: '本人確認用コード' },
      texts: {
        sign_in:
          'ログインするには、このコードを入力してください。コードはリクエストしたブラウザで1回だけ使用でき、10分後に無効になります。',
        proof:
          '本人確認のため、このコードを入力してください。コードはリクエストしたブラウザで1回だけ使用でき、10分後に無効になります。',
      },
      asked: (device, ipAddress) => `リクエスト元：${device}、IPアドレス：${ipAddress}`,
      warning: '心当たりがない場合は、このメールを破棄してください。コードは誰にも教えないでください。',
    },
    notForYou: {
      subject: 'パスワードまたはパスキーでログインしてください',
      text: 'ログイン用コードのリクエストがありました。このアカウントは2段階認証で保護されているため、パスワードまたはパスキーを使用してログインしてください。',
    },
    noAccount:
      'このメールアドレスでログイン用コードのリクエストがありましたが、該当するアカウントはありません。別のメールアドレスで登録されている可能性があります。',
  },

  account: {
    email: 'メールアドレス',
    password: 'パスワード',
    newPassword: '新しいパスワード',
    newPasswordHint: '8文字以上。関連のない単語をいくつか組み合わせるのがおすすめです。',
    name: '名前',
    nav: 'アカウント',
    signOut: 'ログアウト',
    signedInAs: 'ログイン中のアカウント',
    menu: 'メニュー',
    reveal: { show: '表示', hide: '非表示', showPassword: 'パスワードを表示', hidePassword: 'パスワードを非表示' },
    file: { choose: 'ファイルを選択', none: 'ファイルが選択されていません' },
    throttled: (minutes) => `試行回数が多すぎます。${waitingTime(minutes)}後にもう一度お試しください。`,
    invalidName: '名前は100文字以内で入力してください。空白だけの名前は使用できません。',
    invalidEmail: '有効なメールアドレスを入力してください。',
    managed: 'これは所属する組織が管理しています。',
    noEmail: 'このサービスではまだメールを送信できないため、この機能は利用できません。管理者にお問い合わせください。',
    passwordProblems: {
      too_short: '8文字以上で入力してください。',
      too_long: '256文字以内で入力してください。',
      not_text: 'パスワードに使用できない文字が含まれています。',
      common: 'よく使われているパスワードです。別のパスワードを設定してください。',
      personal: '名前やメールアドレスと同じパスワードは使用できません。別のパスワードを設定してください。',
      breached:
        'このパスワードは過去のデータ漏えいに含まれており、第三者に知られている可能性があります。他では使っていないパスワードを設定してください。',
      not_allowed: 'パスワードは使用できません。代わりにパスキーを作成してください。',
    },
    sections: {
      home: 'アプリ一覧',
      profile: 'プロフィール',
      security: 'セキュリティ',
      sessions: 'デバイス',
      apps: '連携アプリ',
      activity: 'アクティビティ',
      data: 'データ',
    },
    console: '管理コンソール',
    notices: {
      welcome: 'ようこそ。アカウントの準備ができました。',
      profile: 'プロフィールを保存しました。',
      picture: 'プロフィール画像を更新しました。',
      password: 'パスワードを変更しました。他のデバイスからはログアウトしました。',
      authenticator: '認証アプリを削除しました。',
      'authenticator-added': '認証アプリを追加しました。',
      passkey: 'パスキーを削除しました。',
      'password-removed': 'パスワードを削除しました。他のデバイスからはログアウトしました。',
      'password-set': 'パスワードを設定しました。他のデバイスからはログアウトしました。',
      'identity-linked': 'アカウントを連携しました。',
      'identity-unlinked': '連携を解除しました。',
      'passkey-added': 'パスキーを追加しました。',
      session: 'デバイスからログアウトしました。',
      sessions: '他のデバイスからログアウトしました。',
      proof: '本人確認が完了しました。',
      untrusted: 'デバイスの信頼を解除しました。',
      'method-kept': 'ログイン方法を引き続き使用できます。',
      'method-removed': 'ログイン方法を削除しました。',
      'not-possible': '操作を完了できませんでした。別のウィンドウで変更された可能性があります。',
    },

    signUp: {
      title: 'アカウントを作成',
      toContinue: (app) => `「${app}」に進むにはアカウントが必要です`,
      lead: 'アカウントの作成を続けるためのリンクをメールでお送りします。',
      submit: 'リンクを送信',
      haveOne: 'すでにアカウントをお持ちですか？',
      closed: 'このサービスのアカウントは管理者が作成します。アカウントが必要な場合は、管理者にお問い合わせください。',
      finishTitle: 'アカウントの作成を完了してください',
      finishLead: (email) => `ログインには ${email} を使用します。`,
      inviteTitle: '招待が届いています',
      setUpTitle: 'サービスのセットアップ',
      setUpLead: '最初の管理者アカウントを作成します。',
      emailTaken: 'このメールアドレスのアカウントはすでに存在します。',
      nameHint: 'アプリに表示される名前です。',
      finish: 'アカウントを作成',
    },
    emailSent: {
      title: 'メールをご確認ください',
      text: (email) => `${email} にメールを送信しました。メール内のリンクを開いて続行してください。`,
      hint: '数分待っても届かない場合は、迷惑メールフォルダを確認するか、もう一度お試しください。',
      again: '再送信',
      other: '別のメールアドレスを使用',
      outbox: 'このサービスは開発モードで動作しています。メールは送信トレイで確認できます。',
    },
    resetPassword: {
      title: 'パスワードを再設定',
      lead: '新しいパスワードを設定するためのリンクをメールでお送りします。リンクは1回のみ使用でき、30分後に無効になります。',
      submit: 'リンクを送信',
      back: 'ログインに戻る',
      finishTitle: '新しいパスワードを設定',
      finishLead: '設定すると、すべてのデバイスからログアウトします。',
      finish: 'パスワードを設定',
      doneTitle: 'パスワードを変更しました',
      done: '新しいパスワードでログインしてください。過去7日間に追加されたログイン方法は、内容を確認していただくまで一時停止されます。',
      signIn: 'ログイン',
    },
    linkExpired: {
      title: 'このリンクは無効です',
      text: 'すでに使用されたか、有効期限が切れたか、新しいリンクが発行された可能性があります。変更は行われていません。',
      again: '新しいリンクを取得',
      askAdministrator: '管理者に新しいリンクの発行を依頼してください。',
    },

    secondStep: {
      title: '2段階認証',
      lead: '認証アプリの確認コードまたはリカバリーコードを入力してください。',
      leadPasskeyOnly: 'パスキーを使用するか、リカバリーコードを入力してください。',
      code: 'コード',
      submit: '続行',
      passkey: 'パスキーを使用',
      failed: 'コードが正しくないか、すでに使用されています。',
      passkeyFailed: 'パスキーを確認できませんでした。もう一度試すか、コードを入力してください。',
      tooManyCodes: (minutes) =>
        `正しくないコードが何度も入力されました。リカバリーコードかパスキーを使用するか、${waitingTime(minutes)}後にもう一度お試しください。`,
      trust: 'このデバイスでは30日間コードの入力を省略する',
      lost: 'デバイスもリカバリーコードも手元にない場合は、管理者にお問い合わせください。',
      other: '別のアカウントを使用',
    },

    proof: {
      leadElsewhere: '続けるには、もう一度ログインしてください。今後15分間は確認を求められません。',
      noWay:
        '現在、ご本人であることを確認できません。パスワードが設定されておらず、ログインに使用しているアカウントも利用できないためです。先にメールでパスワードを設定してください。',
      byEmail: 'メールでパスワードを設定',
      confirmedTitle: '本人確認が完了しました',
      confirmed: '変更を続けられます。',
      goOn: '続ける',
      title: '本人確認',
      lead: '続行するには、パスワードを入力してください。確認後15分間は再入力の必要はありません。',
      leadWithCode: '続行するには、2段階認証を行ってください。確認後15分間は再認証の必要はありません。',
      password: 'パスワード',
      submit: '確認',
      enterCode: 'コードを入力してください。',
      wrongPassword: 'パスワードが正しくありません。',
      cancel: 'キャンセル',
    },

    profile: {
      pictureElsewhere: (host) => `写真は${host}にあります。ここには表示されません。`,
      lead: 'プロフィールを共有したアプリに表示される情報です。',
      givenName: '名',
      familyName: '姓',
      username: 'ユーザー名',
      usernameHint:
        '省略できます。英字で始まる3～30文字で入力してください。プロフィールを共有したアプリに表示されることがあります。',
      usernameTaken: 'このユーザー名はすでに使用されています。',
      usernameProblems: {
        too_short: '3文字以上で入力してください。',
        too_long: '30文字以内で入力してください。',
        invalid_start: 'ユーザー名の最初の文字は英字にしてください。',
        invalid_characters: '使用できる文字は、英字（a～z）、数字、ピリオド、ハイフン、アンダースコアのみです。',
      },
      locale: '言語',
      noLocale: '未設定',
      save: 'プロフィールを保存',
      invalidLocale: 'リストから言語を選択してください。',
      picture: 'プロフィール画像',
      pictureHint: 'PNG、JPEG、WebP形式、512KBまで。位置情報は削除されます。',
      upload: '画像をアップロード',
      removePicture: '画像を削除',
      pictureProblems: {
        not_a_picture: 'PNG、JPEG、WebP形式の画像ではないか、ファイルが破損しています。',
        too_large: '画像のサイズが512KBを超えています。',
        too_many_pixels: '画像のピクセル数が多すぎます。',
        none: 'ファイルを選択してください。',
      },
      address: 'メールアドレス',
      verified: '確認済み',
      unverified: '未確認',
      verify: 'メールアドレスを確認',
      changeAddress: 'メールアドレスを変更',
    },
    attributes: {
      none: '未設定',
      yes: 'はい',
      no: 'いいえ',
      list: '項目はコンマで区切ってください。',
      listOf: (values) => `項目はコンマで区切ってください。使用できる値：${values}`,
      problems: {
        wrong_kind: '12.5 のような数値を入力してください。',
        not_allowed: '使用できる値だけを入力してください。',
        too_long: '値が長すぎます。',
        characters: '使用できない文字が含まれています。',
      },
    },
    changeEmail: {
      title: 'メールアドレスを変更',
      lead: (email) =>
        `現在のメールアドレスは ${email} です。新しいメールアドレスに届くリンクを開くと、変更が完了します。`,
      newAddress: '新しいメールアドレス',
      submit: 'リンクを送信',
      same: '現在のメールアドレスと同じです。',
      confirmTitle: '新しいメールアドレスを確認',
      confirmLead: (email, current) => `メールアドレスを ${current} から ${email} に変更します。`,
      confirm: 'メールアドレスを確認',
      changedTitle: 'メールアドレスを変更しました',
      confirmed: (email) =>
        `メールアドレスが ${email} に変更されました。次回からこのメールアドレスでログインしてください。`,
      verifyLead: (email) => `${email}がご自身のメールアドレスであることを確認してください。`,
      verifiedTitle: 'メールアドレスを確認しました',
      verified: (email) => `${email}は確認済みです。`,
      toAccount: 'アカウントに移動',
      back: 'プロフィールに戻る',
    },
    security: {
      noPassword:
        'パスワードが設定されていません。設定しておくと、連携しているアカウントを使えなくなってもログインできます。',
      setPassword: 'パスワードを設定',
      authenticatorOffAlone: 'ログインのたびにスマートフォンのアプリのコードを使って、アカウントを保護します。',
      proof: '認証アプリの確認コードまたはリカバリーコード',
      proofByRecoveryCode: 'リカバリーコード',
      passwordTitle: 'パスワード',
      changePassword: 'パスワードを変更',
      breached:
        '現在のパスワードは、他のサービスからのデータ漏えいに含まれており、第三者に知られている可能性があります。このアカウントと、同じパスワードを使っている他のサービスで、早めに変更してください。',
      authenticatorTitle: '認証アプリ',
      authenticatorOff: 'パスワードに加えて、スマートフォンのアプリに表示される確認コードでアカウントを保護します。',
      on: 'オン',
      authenticatorOn: 'ログイン時に、アプリに表示される確認コードの入力が必要です。',
      setUp: '認証アプリを設定',
      remove: '削除',
      removeNamed: (name) => `パスキー「${name}」を削除`,
      removeApp: '認証アプリを削除',
      codesTitle: 'リカバリーコード',
      noCodesLeft: 'リカバリーコードは残っていません。新しいコードを作成してください。',
      codesLeft: (count) =>
        `リカバリーコードは残り${number(count)}個です。デバイスが手元にないときに、コード1個につき1回ログインできます。`,
      newCodes: '新しいコードを作成',
      passkeysTitle: 'パスキー',
      passkeysLead: '指紋認証や顔認証、画面ロックを使って、パスワードなしでログインできます。',
      passkeyName: 'パスキーの名前',
      passkeyNameHint: '例：自分のスマートフォン',
      addPasskey: 'パスキーを追加',
      needsScript: 'パスキーを使用するには、パスキー対応のブラウザでJavaScriptを有効にしてください。',
      added: '追加日',
      lastUsed: '最終使用日',
      never: '未使用',
      passkeyFailed: 'パスキーを追加できませんでした。もう一度お試しください。',
      tooManyPasskeys: 'パスキーは20個までです。追加するには、いずれかを削除してください。',
      lastWay: 'これが唯一のログイン方法です。削除する前に、パスワードを設定するか、別のパスキーを追加してください。',
      confirmedForPasskey: '本人確認が完了しました。パスキーを追加できます。',
    },
    identities: {
      title: '連携しているアカウント',
      lead: 'ログインに使用できる、他のサービスのアカウントです。',
      linked: '連携日',
      noEmail: 'メールアドレスは共有されていません',
      disabled: '利用できません',
      link: (label) => `${label}と連携`,
      tooMany: '連携できるアカウントは10個までです。追加するには、いずれかの連携を解除してください。',
      unlink: '連携を解除',
      unlinkNamed: (label) => `${label}との連携を解除`,
      lastWay: 'これが唯一のログイン方法です。連携を解除する前に、パスワードを設定するか、パスキーを追加してください。',
    },
    authenticator: {
      title: '認証アプリを設定',
      scan: '認証アプリでこのQRコードをスキャンしてください。',
      alt: '認証アプリ用のキーを含むQRコード',
      orType: 'または、次のキーをアプリに入力してください。',
      open: '認証アプリで開く',
      copy: 'キーをコピー',
      code: 'アプリに表示された6桁のコード',
      submit: 'オンにする',
      wrongCode:
        'コードが正しくありません。コードは30秒ごとに変わります。スマートフォンの時刻が正しいか確認してください。',
      already: '認証アプリはすでに設定されています。設定し直すには、先に削除してください。',
      back: 'セキュリティに戻る',
    },
    codes: {
      title: 'リカバリーコードを保存',
      lead: 'デバイスが手元にないときに、コード1個につき1回ログインできます。コードが表示されるのは今回だけです。必ず保存してください。',
      done: 'コードを保存しました',
      copy: 'コードをコピー',
      copied: 'コピーしました',
      download: 'コードをダウンロード',
      print: 'コードを印刷',
      file: (service, email) => `${service}（${email}）のリカバリーコード`,
    },
    sessions: {
      lead: '現在ログインしているデバイスです。',
      current: 'このデバイス',
      since: 'ログイン日',
      lastSeen: '最終アクセス日',
      from: 'IPアドレス',
      end: 'ログアウト',
      endNamed: (device) => `${device} からログアウト`,
      endOthers: '他のデバイスからログアウト',
      onlyThis: '他のデバイスではログインしていません。',
      trusted: '信頼できるデバイス',
      trustedLead: 'これらのデバイスでは、パスワードでログインするときにコードの入力を求められません。',
      trustedUntil: '有効期限',
      lastSignIn: '最終使用日',
      untrust: '信頼を解除',
      untrustNamed: (device) => `${device} の信頼を解除`,
    },
    activity: {
      lead: 'アカウントの最近のアクティビティです。心当たりのないものがある場合は、パスワードを変更してください。',
      none: 'アクティビティはまだありません。',
      byAdministrator: '管理者による操作',
      older: '以前のアクティビティ',
      someApp: '不明なアプリ',
    },
    data: {
      downloadTitle: 'データをダウンロード',
      downloadLead: 'このサービスに保存されているご自身の情報をすべて、1つのJSONファイルとしてダウンロードできます。',
      download: 'データをダウンロード',
      deleteTitle: 'アカウントを削除',
      deleteLead: 'アプリはただちにアカウントにアクセスできなくなります。この操作は取り消せません。',
      deleteQuestion: (email) => `${email}のアカウントを削除しますか？`,
      deleteText: 'プロフィール、ログイン方法、連携アプリは完全に削除され、すべてのデバイスからログアウトします。',
      delete: 'アカウントを削除',
      lastAdministrator: '他に管理者がいません。先に別のユーザーを管理者にしてください。',
      deletedTitle: 'アカウントを削除しました',
      deleted:
        'アカウントが存在したという記録のみが残ります。アプリと共有した情報は、アプリ側に残っている場合があります。',
    },
    ownEvents: {
      signed_in: 'ログイン',
      sign_in_failed: 'ログインに失敗',
      second_step_asked: 'パスワードが一致、2段階認証待ち',
      session_raised: '2段階認証で本人確認',
      signed_out: 'ログアウト',
      approved: (app) => `「${app}」のアクセスを許可`,
      let_in: (app) => `「${app}」にログイン`,
      approvals_throttled: (app) => `「${app}」へのログインが多すぎるため一時的に制限`,
      authorization_denied: (app) => `「${app}」のアクセスを拒否`,
      app_removed: (app) => `「${app}」のアクセス権を削除`,
      signed_up: 'アカウントを作成',
      user_created: '管理者がアカウントを作成',
      user_password_set: '管理者がパスワードを変更',
      user_disabled: '管理者がアカウントを無効化',
      user_expired: 'アカウントの利用期間が終了',
      user_enabled: '管理者がアカウントを有効化',
      user_approved: '管理者がアカウントを承認',
      user_made_administrator: '管理者権限を付与',
      user_administrator_removed: '管理者権限を削除',
      user_roles_changed: '管理者がロールを変更',
      user_reset_sent: '管理者がパスワード再設定用のリンクを送信',
      user_recovery_link_made: '管理者がアカウント復元用のリンクを作成',
      first_administrator_created: '最初の管理者アカウントを作成',
      email_code_requested: 'ログイン用コードをリクエスト',
      email_verified_by_code: 'コードでメールアドレスを確認',
      account_claimed: '所有者のためにアカウントをリセット',
      password_reset_requested: 'パスワードの再設定をリクエスト',
      password_reset: 'メールからパスワードを再設定',
      password_changed: 'パスワードを変更',
      password_removed: 'パスワードを削除',
      password_found_in_breach: 'データ漏えいに含まれるパスワードを検出',
      profile_changed: 'プロフィールを更新',
      picture_changed: 'プロフィール画像を更新',
      email_change_requested: 'メールアドレスの変更をリクエスト',
      email_changed: 'メールアドレスを変更',
      sessions_ended: '他のデバイスからログアウト',
      device_trusted: '信頼できるデバイスに追加（コードの入力を省略）',
      device_trust_ended: 'デバイスの信頼を解除',
      authenticator_added: '認証アプリを追加',
      authenticator_removed: '認証アプリを削除',
      recovery_codes_replaced: 'リカバリーコードを作成',
      recovery_codes_removed: 'リカバリーコードを削除',
      recovery_code_used: 'リカバリーコードを使用',
      passkey_added: (name) => `パスキー「${name}」を追加`,
      passkey_removed: 'パスキーを削除',
      second_factors_removed: '管理者が2段階認証を解除',
      identity_linked: (name) => `${name}でのログインを連携`,
      identity_unlinked: (name) => `${name}でのログインの連携を解除`,
      factor_undone: '新しいログイン方法を取り消し、すべてのデバイスからログアウト',
      factor_kept: '一時停止中のログイン方法を引き続き使用',
      account_reviewed: 'アカウントへのアクセスを確認',
      data_downloaded: 'データをダウンロード',
      user_edited: '管理者がプロフィールを変更',
      user_email_verified: '管理者がメールアドレスを確認済みに設定',
      grant_ended_by_replay: (app) => `認可コードが2回使用されたため「${app}」のアクセス権を取り消し`,
    },
    methods: {
      password: 'パスワード',
      password_and_code: 'パスワードと確認コード',
      password_and_recovery_code: 'パスワードとリカバリーコード',
      password_and_passkey: 'パスワードとパスキー',
      passkey: 'パスキー',
      password_on_trusted_device: '信頼できるデバイスでパスワードを使用',
      sign_up: '初回ログイン',
      upstream: 'IDプロバイダー',
      upstream_on_trusted_device: '信頼できるデバイスでIDプロバイダーを使用',
      upstream_two_factors: 'IDプロバイダー（2段階認証あり）',
      upstream_and_code: 'IDプロバイダーとコード',
      upstream_and_recovery_code: 'IDプロバイダーとリカバリーコード',
      upstream_and_passkey: 'IDプロバイダーとパスキー',
      email_code: 'メールのコード',
      email_code_and_code: 'メールのコードとアプリのコード',
      email_code_and_recovery_code: 'メールのコードとリカバリーコード',
      email_code_and_passkey: 'メールのコードとパスキー',
    },
    reasons: {
      wrong_password: 'パスワードの誤り',
      wrong_second_step: 'コードの誤り（パスワードは正しい）',
      wrong_password_in_account: '本人確認時のパスワードの誤り',
      wrong_passkey: 'パスキーの確認に失敗',
      wrong_email_code: 'メールのコードの誤り',
      unverified_email: 'メールアドレス未確認',
      throttled: '試行回数の超過',
      disabled: 'アカウントが無効',
      expired: '利用期間が終了',
      waiting_for_approval: 'アカウントが承認待ち',
      password_over: 'パスワードは正しいが、パスワードは使用不可',
      changed_meanwhile: 'アカウントが同時に変更されたため中止',
      upstream_identity_taken: '別のアカウントに連携済み',
      upstream_other_person: '連携されたアカウントではない',
      upstream_not_fresh: 'IDプロバイダーが再度のログインを求めなかった',
    },
  },

  device: {
    on: (browser, system) => `${browser}（${system}）`,
    unknownOn: (system) => `不明なブラウザ（${system}）`,
    unknown: '不明なブラウザ',
  },

  emails: {
    greeting: 'こんにちは。',
    ignore: 'このメールに心当たりがない場合は、破棄していただいて問題ありません。',
    notYou: '心当たりがない場合は、次のリンクからすぐにパスワードを再設定してください。',
    notYouEither: '心当たりがない場合は、次のリンクから見覚えのないものを削除し、パスワードを変更してください。',
    lookAtSecurity: 'セキュリティ設定を確認',
    finishSignUp: {
      subject: 'アカウントの作成を完了してください',
      text: '次のリンクを開いて、アカウントを設定してください。リンクは1回のみ使用でき、24時間後に無効になります。',
      action: 'アカウントを作成',
    },
    addressHasAccount: {
      subject: 'すでにアカウントをお持ちです',
      text: 'このメールアドレスで新しいアカウントを作成しようとする操作がありましたが、このメールアドレスのアカウントはすでに存在します。次のリンクからログインするか、パスワードを再設定してください。',
      action: 'ログイン',
    },
    resetPassword: {
      subject: 'パスワードの再設定',
      text: '次のリンクを開いて、新しいパスワードを設定してください。リンクは1回のみ使用でき、30分後に無効になります。',
      action: 'パスワードを再設定',
    },
    invitation: {
      subject: '招待が届いています',
      text: (service) =>
        `${service}への招待が届いています。次のリンクを開いて、アカウントを作成してください。リンクは1回のみ使用でき、7日後に無効になります。`,
      textFrom: (inviter, service) =>
        `${inviter}さんから${service}への招待が届いています。次のリンクを開いて、アカウントを作成してください。リンクは1回のみ使用でき、7日後に無効になります。`,
      action: '招待を承諾',
    },
    noAccount: {
      subject: 'このメールアドレスのアカウントはありません',
      text: 'このメールアドレスのアカウントのパスワードを再設定しようとする操作がありましたが、該当するアカウントはありません。別のメールアドレスで登録されている可能性があります。',
      action: '別のメールアドレスで試す',
    },
    confirmAddress: {
      subject: 'メールアドレスの確認',
      text: 'このメールアドレスをアカウントで使用するには、次のリンクを開いてログインしてください。リンクは1回のみ使用でき、24時間後に無効になります。',
      action: 'メールアドレスを確認',
    },
    accountClaimed: {
      subject: 'アカウントがリセットされました',
      text: 'このメールアドレスがご本人のものであることが確認されました。これまで確認されたことがなかったため、ほかの人がアカウントを設定した可能性があります。パスワード、その他のログイン方法、デバイス、アプリのアクセス権など、アカウント内のすべてを削除しました。',
    },
    passwordChanged: {
      subject: 'パスワードが変更されました',
      text: 'アカウントのパスワードが変更され、他のデバイスからログアウトしました。',
      action: 'パスワードを再設定',
    },
    setUpFactor: {
      subject: '2段階認証を設定してください',
      text: 'パスワードでのログインがありました。以前の2段階認証はこのサービスに引き継げなかったため、続行するには、もう一度設定してください。リンクの有効期間は30分です。',
      action: '2段階認証を設定',
      notYou:
        '心当たりがない場合は、パスワードが他人に知られています。リンクを開かずに、ログインページからパスワードを再設定してください。',
    },
    passwordBreached: {
      subject: '早めにパスワードを変更してください',
      text: 'お使いのパスワードが、他のサービスから漏えいしたパスワードのリストに含まれています。アカウントに不正にログインされたという意味ではありませんが、攻撃者はこうしたリストのパスワードを試します。次のリンクから、他では使っていない新しいパスワードに変更してください。',
      action: 'パスワードを変更',
      after: '同じパスワードを他でも使っている場合は、そちらも変更してください。',
    },
    addressChangeAsked: {
      subject: 'メールアドレス変更のリクエスト',
      text: (email) =>
        `アカウントのメールアドレスを ${email} に変更するリクエストがありました。変更先に送信したリンクが開かれると、変更が完了します。`,
      action: 'パスワードを再設定',
    },
    addressChanged: {
      subject: 'メールアドレスが変更されました',
      text: (email) =>
        `アカウントのメールアドレスが ${email} に変更されました。心当たりがない場合は、管理者にお問い合わせください。`,
    },
    factorAdded: {
      texts: {
        authenticator_added: 'アカウントに認証アプリが追加されました。',
        passkey_added: 'アカウントにパスキーが追加されました。',
        recovery_codes_replaced: '新しいリカバリーコードが作成されました。以前のコードは使用できません。',
      },
      undo: '心当たりがない場合は、次のリンクを開いてください。この変更を取り消して、すべてのデバイスからログアウトできます。リンクは1回のみ使用でき、7日後に無効になります。',
      action: '心当たりがない',
      ignore: 'ご自身による変更の場合は、何もする必要はありません。',
    },
    secondFactorChanged: {
      subject: 'セキュリティ設定が変更されました',
      authenticator_removed: 'アカウントから認証アプリが削除されました。',
      passkey_removed: 'アカウントからパスキーが削除されました。',
      all_factors_removed:
        'アカウントから、パスワード以外のすべてのログイン方法が削除されました。2段階認証はオフになっています。',
      second_factors_removed: '管理者がアカウントから認証アプリとパスキーを削除しました。',
    },
    identityLinked: (label) => `${label}でアカウントにログインできるようになりました。`,
    wrongCodes: {
      subject: 'パスワードが第三者に知られている可能性があります',
      text: (device, at, ipAddress) =>
        `正しいパスワードが入力された後に、正しくない確認コードが何度も入力されました。最後の入力は、${at}に、${device}から行われました（IPアドレス：${ipAddress}）。ログインには至っていません。`,
      action: 'パスワードを再設定',
    },
    recoveryCodeUsed: {
      subject: 'リカバリーコードが使用されました',
      text: (device, at, ipAddress) =>
        `${at}に、${device}からアカウントのリカバリーコードが1個使用されました（IPアドレス：${ipAddress}）。`,
    },
    newDevice: {
      subject: 'アカウントへの新しいログイン',
      text: (device, at, ipAddress) =>
        `${at}に、${device}からログインがありました（IPアドレス：${ipAddress}）。これまでに使用されたことのないブラウザです。`,
      action: 'パスワードを再設定',
    },
    apiKeyCreated: {
      subject: '新しいAPIキー',
      text: (name, fromCommandLine) =>
        fromCommandLine
          ? `APIキー「${name}」がコマンドラインで作成されました。`
          : `お使いのアカウントでAPIキー「${name}」が作成されました。`,
      permissions: {
        read: 'このキーで、管理者が閲覧できるすべての情報を読み取ることができます。',
        write: 'このキーで、ロールのないユーザー、保護されていないグループ、アプリ、Webhook を管理できます。',
        administrator: 'このキーで、管理者が行えるすべての操作を実行できます。',
        people: 'このキーで、ロールのないユーザーと保護されていないグループを管理できます。',
        applications: 'このキーで、アプリを管理できます。',
        auditor: 'このキーで、管理者が閲覧できるすべての情報を読み取ることができますが、変更はできません。',
      },
      expires: (day) => `有効期限は${day}です。`,
      neverExpires: '有効期限はありません。',
      notYou: '心当たりがない場合は、次のリンクからキーを無効にし、パスワードを変更してください。',
      action: 'APIキーを管理',
    },
    adminAccessChanged: {
      given: {
        subject: '管理者権限が付与されました',
        text: 'このサービスのユーザーとアプリを管理できるようになりました。',
        action: '管理コンソールを開く',
      },
      removed: {
        subject: '管理者権限が削除されました',
        text: 'このサービスのユーザーとアプリを管理できなくなりました。',
        action: 'アカウントに移動',
      },
      changed: {
        subject: '管理ロールが変更されました',
        text: (roles: string) => `このサービスでの現在のロール：${roles}`,
        action: '管理コンソールを開く',
      },
      roles: { administrator: '管理者', people: 'ユーザー', applications: 'アプリ', auditor: '監査担当者' },
      notExpected: '心当たりがない場合は、管理者にお問い合わせください。',
    },
    recoveryLinkMade: {
      subject: 'アカウント復元用のリンクが作成されました',
      text: '管理者が、アカウントに新しいパスワードを設定するためのリンクを作成しました。リンクは1回のみ使用でき、24時間後に無効になります。使用すると、すべてのデバイスからログアウトします。依頼した覚えがない場合は、管理者に連絡し、次のリンクからアカウントのアクティビティを確認してください。',
      action: 'アクティビティを確認',
    },
    accountCreated: {
      subject: '新しいアカウントが作成されました',
      text: (service) =>
        `${service}のアカウントが作成されました。次のリンクを開いて、ログイン方法を設定してください。リンクは1回のみ使用でき、7日後に無効になります。`,
      textFrom: (inviter, service) =>
        `${inviter}さんにより、${service}のアカウントが作成されました。次のリンクを開いて、ログイン方法を設定してください。リンクは1回のみ使用でき、7日後に無効になります。`,
      action: 'ログイン方法を設定',
    },
    profileEdited: {
      subject: 'プロフィールが変更されました',
      text: (name) =>
        `管理者により、お使いのアカウントのプロフィールが変更されました。現在の名前は「${name}」です。心当たりがない場合は、管理者にお問い合わせください。`,
    },
    emailEdited: {
      subject: 'メールアドレスが変更されました',
      text: (email) =>
        `管理者により、お使いのアカウントのメールアドレスが ${email} に変更されました。心当たりがない場合は、管理者にお問い合わせください。`,
    },
    accountDeleted: {
      subject: 'アカウントが削除されました',
      text: 'ご依頼のとおり、アカウントを削除しました。アプリからアカウントにアクセスすることはできなくなりました。',
    },
  },

  approval: {
    title: '承認待ち',
    text: 'アカウントは承認待ちです。',
    told: 'ログインできるようになったら、メールでお知らせします。',
    needed: 'その後、管理者がアカウントを承認する必要があります。',
    fullTitle: 'アカウントを作成できませんでした',
    full: '現在、新しいアカウントを作成できません。後でもう一度お試しください。',
    emails: {
      approved: {
        subject: 'アカウントが承認されました',
        text: (service) => `${service}のアカウントが承認されました。ログインできるようになりました。`,
        action: 'ログイン',
      },
      declined: {
        subject: 'アカウントは承認されませんでした',
        text: (service) =>
          `${service}のアカウントの申請は承認されず、入力された情報は削除されました。管理者からのメッセージ：`,
      },
      waiting: {
        subject: '承認待ちのユーザーがいます',
        text: (count) => `${number(count)}人のユーザーが、管理者によるアカウントの承認を待っています。`,
        action: '申請を確認',
      },
    },
  },
  signUpLinks: {
    linkNeeded: 'アカウントの作成には登録用リンクが必要です。管理者に発行を依頼してください。',
    otherDomain:
      'このメールアドレスではアカウントを作成できません。別のメールアドレスを使用するか、管理者にお問い合わせください。',
    ended: {
      used_up: 'この登録用リンクは使用回数の上限に達しました',
      expired: 'この登録用リンクは有効期限が切れています',
      revoked: 'この登録用リンクは取り消されました',
    },
    endedText: 'このリンクではアカウントを作成できません。',
  },

  recovery: {
    paused: {
      title: '一時停止中のログイン方法',
      lead: 'パスワードが再設定される前の7日間に追加されたものです。引き続き使用するか削除するかを選択するまで、ログインには使用できません。',
      names: {
        authenticator: '認証アプリ',
        passkey: (name) => `パスキー「${name}」`,
        recovery_codes: 'リカバリーコード',
      },
      added: '追加日',
      keep: '引き続き使用',
      keepNamed: (method) => `${method}を引き続き使用`,
      remove: '削除',
      removeNamed: (method) => `${method}を削除`,
    },
    review: {
      title: 'アカウントの確認',
      lead: (day) =>
        `${day}にパスワードが再設定され、すべてのデバイスからログアウトしました。現在アカウントにアクセスできるログイン方法、デバイス、アプリを確認してください。`,
      methodsTitle: '使用中のログイン方法',
      noMethods: 'パスワードのみです。',
      authenticator: '認証アプリ',
      recoveryCodes: (count) => `リカバリーコード（${number(count)}個）`,
      devicesTitle: 'デバイス',
      appsTitle: '連携アプリ',
      noApps: '連携アプリはありません。',
      keysTitle: '作成したAPIキー',
      removeTitle: '見覚えのないものがありますか？',
      removeLead:
        'パスワード以外のすべてのログイン方法、すべての連携アプリ、作成したすべてのAPIキーを削除し、他のすべてのデバイスからログアウトします。',
      removesMethods: '2段階認証を設定し直すまでは、パスワードだけでログインすることになります。',
      remove: '他のアクセス権をすべて削除',
      doneTitle: '問題はありませんか？',
      done: '確認を完了',
    },
    undo: {
      title: '心当たりがありませんか？',
      lead: 'この変更を取り消して、すべてのデバイスからログアウトします。パスワードが第三者に知られている可能性があるため、その後でパスワードを再設定してください。',
      submit: '取り消してすべてログアウト',
      doneTitle: '変更を取り消しました',
      done: 'すべてのデバイスからログアウトしました。変更を行った第三者がまだパスワードを知っている可能性があります。今すぐ再設定してください。',
      reset: 'パスワードを再設定',
    },
  },

  secondFactor: {
    setUpTitle: '2段階認証を設定',
    setUpLead: 'ログインするには2段階認証が必要です。',
    setUpLeadFor: (app) => `「${app}」に進むには2段階認証が必要です。`,
    withApp: '代わりに認証アプリを使用',
    code: 'アプリに表示された6桁のコード',
    password: '現在のパスワード',
    passwordHint: '本人確認のために必要です。',
    submit: 'オンにして続行',
    wrongCode:
      'コードが正しくありません。コードは30秒ごとに変わります。スマートフォンの時刻が正しいか確認してください。',
    verifyTitle: '2段階認証',
    verifyLead: '認証アプリの確認コードまたはリカバリーコードを入力してください。',
    verifyLeadPasskeyOnly: 'パスキーを使用するか、リカバリーコードを入力してください。',
    signingInAs: (email) => `${email} としてログインします。`,
    signedInAs: (email) => `${email} としてログイン中です。`,
    signOut: 'ログアウト',
    codesTitle: 'リカバリーコードを保存',
    codesLead:
      'デバイスが手元にないときに、コード1個につき1回ログインできます。コードが表示されるのは今回だけです。必ず保存してください。',
    codesDone: 'コードを保存しました',
    usedTitle: 'リカバリーコードを使用しました',
    usedLeft: (count) => `残り${number(count)}個です。`,
    lost: 'スマートフォンを紛失しましたか？',
    remove: '削除する',
    continue: '続行',
  },

  passwordless: {
    create: 'パスキーを作成',
    lead: '指紋認証や顔認証、画面ロックでログインできます。覚えておくものはありません。',
    withPassword: '代わりにパスワードを使用',
    failed: 'パスキーを作成できませんでした。もう一度お試しください。',
    eitherTitle: 'パスキーの作成またはパスワードの設定',
    notByEmail:
      '2段階認証を使用しているため、メールのリンクだけではパスキーを作成できません。パスキーでログインするか、管理者にお問い合わせください。',
    createdTitle: 'パスキーを作成しました',
    created:
      'パスキーでログインしてください。過去7日間に追加されたログイン方法は、内容を確認していただくまで一時停止されます。',
    over: 'パスワードはもう使用できません。別の方法でログインするか、メールのリンクからパスキーを作成してください。',
    byEmail: 'メールでパスキーを作成',
    byEmailLead:
      'パスキーを作成するためのリンクをメールでお送りします。リンクは1回のみ使用でき、30分後に無効になります。',
    ask: 'パスワードに代わって、パスキーを使用するようになります。パスキーがあれば、指紋認証や顔認証、画面ロックでログインできます。',
    askUntil: (day) => `現在のパスワードを使用できるのは${day}までです。`,
    notNow: '後で',
    remove: 'パスワードを削除',
    removeLead: 'パスキーだけでログインするようになります。パスワードはいつでも設定し直せます。',
    removeFor: 'パスワードは使用されなくなりました。パスキーでログインするようになります。',
    removeNeeds:
      'パスワードを削除するには、まずパスキーを追加し、リカバリーコードを保存するか、2つ目のパスキーを追加してください。',
    none: 'パスワードは設定されていません。パスキーでログインします。',
    notUsed: 'パスワードは使用されていません。',
    reviewLead: (day) =>
      `${day}に、アカウントに再びアクセスするためのパスキーが作成され、すべてのデバイスからログアウトしました。現在アカウントにアクセスできるログイン方法、デバイス、アプリを確認してください。`,
    linkEmail: {
      subject: 'パスキーを作成してください',
      text: '次のリンクを開いて、アカウントのパスキーを作成してください。リンクは1回のみ使用でき、30分後に無効になります。',
      action: 'パスキーを作成',
    },
    removedEmail: {
      subject: 'パスワードが削除されました',
      text: 'アカウントのパスワードが削除されました。今後はパスキーでログインします。他のデバイスからはログアウトしました。',
    },
    reviewRemoveLead:
      '新しいパスキー以外のすべてのログイン方法、すべての連携アプリ、作成したすべてのAPIキーを削除し、他のすべてのデバイスからログアウトします。',
  },

  signOut: {
    title: (service) => `${service}からログアウトしますか？`,
    askedBy: (app) => `「${app}」からログアウトのリクエストがありました。`,
    text: 'このブラウザでログアウトします。開いているアプリでは、ログイン状態が続くことがあります。',
    confirm: 'ログアウト',
    stay: 'ログアウトしない',
    noReturn: {
      hint_invalid: notConfirmed,
      client_mismatch: notConfirmed,
      client_missing: '移動元のアプリがわからないため、アプリに戻れませんでした。',
      unknown_client: '移動元のアプリがこのサービスに登録されていないため、アプリには戻りませんでした。',
      client_revoked: '管理者がこのアプリでのログインを停止しているため、アプリには戻りませんでした。',
      post_logout_redirect_uri_mismatch:
        'アプリから、登録されていないURLへの移動を求められました。安全のため、移動を中止しました。',
    },
    noReturnTodo:
      '戻るには、アプリを直接開いてください。問題が解決しない場合は、下の参照番号を添えてアプリの開発者にお問い合わせください。',
  },

  upstreams: {
    continueWith: (label) => `${label}で続ける`,
    leavingTitle: (label) => `${label}に進む`,
    leavingText: (label) => `${label}に移動しています。`,
    failedTitle: (label) => `${label}でログインできませんでした`,
    problems: {
      expired: () => 'このログインは期限が切れたか、別のブラウザーで開始されたものです。最初からやり直してください。',
      canceled: (label) => `${label}でのログインはキャンセルされました。`,
      unavailable: (label) => `現在、${label}ではログインできません。別の方法でログインしてください。`,
      unreachable: (label) =>
        `${label}から応答がありませんでした。数分後にもう一度試すか、別の方法でログインしてください。`,
      invalid: (label) =>
        `${label}からの応答を受け入れられませんでした。もう一度お試しください。問題が続く場合は、管理者にお問い合わせください。`,
      notFresh: (label) =>
        `${label}が再度のログインを求めなかったため、ご本人であることを確認できませんでした。もう一度お試しください。`,
      identityTaken: (label) => `この${label}アカウントは、別のアカウントに連携されています。`,
      otherPerson: (label) => `この${label}アカウントは、ご自分のアカウントに連携されているものではありません。`,
      refused: (label) => `この${label}アカウントではログインできません。`,
    },
    linkTitle: 'すでにアカウントがあります',
    linkText: (email, label) =>
      `${email}のアカウントはすでにあります。まず別の方法でログインし、セキュリティページで${label}を連携してください。`,
    noAccountTitle: 'アカウントが見つかりません',
    noAccountText: (label) =>
      `この${label}アカウントは、どのアカウントにも連携されていません。別の方法でログインし、アカウントのセキュリティページで連携してください。`,
    otherWay: '別の方法でログイン',
    tryAgain: (label) => `${label}でもう一度試す`,
  },

  chooseAccount: {
    title: 'アカウントを選択',
    continueTo: (app) => `「${app}」で使用するアカウントを選択してください`,
    continue: 'このアカウントで続行',
    other: '別のアカウントを使用',
  },

  noAccess: {
    title: (app) => `「${app}」を利用する権限がありません`,
    signedInAs: 'ログイン中のアカウント',
    text: 'このアカウントには、このアプリの利用が許可されていません。管理者にアクセス権をリクエストするか、別のアカウントを使用してください。',
    other: '別のアカウントを使用',
    back: (app) => `「${app}」に戻る`,
  },

  consent: {
    title: (app) => `「${app}」にログイン`,
    lead: (app) => `次の情報が「${app}」と共有されます。`,
    changed: (app) => `「${app}」がリクエストする情報が変わりました。内容を確認してから続行してください。`,
    signedInAs: 'ログイン中のアカウント',
    notYou: 'アカウントを切り替える',
    returnTo: (host) => `この後 ${host} に移動します。`,
    approve: '許可',
    cancel: 'キャンセル',
    later: 'アクセス権は「連携アプリ」からいつでも削除できます。',
    noPassword: (app) => `「${app}」にパスワードが知られることはありません。`,
  },

  scopes: {
    openid: { heading: 'アカウントの識別情報', phrase: 'アカウントの識別情報' },
    profile: { heading: 'プロフィール', phrase: 'プロフィール' },
    email: { heading: 'メールアドレス', phrase: 'メールアドレス' },
  },
  identityHint: '次回以降、アプリが同じユーザーだと認識するための固有のID',
  accountId: 'アカウントID',
  profileChanged: '最終更新日',
  emailUnverified: '未確認',
  claims: {
    name: '名前',
    given_name: '名',
    family_name: '姓',
    preferred_username: 'ユーザー名',
    picture: 'プロフィール画像',
    locale: '言語',
  },
  furtherClaims: {
    enteredByYou: 'ご自身で入力',
    notSet: '未設定',
    none: 'なし',
    yes: 'はい',
    no: 'いいえ',
    more: (count) => `ほか${number(count)}件`,
    less: '折りたたむ',
  },

  apps: {
    lead: 'このアカウントでログインできるアプリです。',
    none: '連携アプリはありません。',
    noneHint: (service) => `${service}でログインしたアプリがここに表示されます。`,
    sees: '共有中の情報',
    since: '連携日',
    lastUsed: '最終使用日',
    remove: 'アクセス権を削除',
    removeNamed: (app) => `「${app}」のアクセス権を削除`,
    removed: 'アクセス権を削除しました。',
    notConnected: 'このアプリの連携はすでに解除されています。',
    removeHint: 'アクセス権を削除すると、次回そのアプリにログインするときに、あらためて許可を求められます。',
  },

  yourApps: {
    none: 'アプリはまだありません',
    noneHint: '利用できるアプリがここに表示されます。',
    more: 'もっと見る',
    search: 'アプリを検索',
    find: '検索',
    notFound: '一致するアプリはありません',
    all: 'すべてのアプリを表示',
    profileHint: '名前、プロフィール画像、メールアドレス',
    securityHint: 'パスワード、パスキー、2段階認証',
  },

  signedOut: {
    elsewhere:
      'ログインに使用したサービスでは、まだログインしたままの可能性があります。このデバイスを他の人と共有している場合は、そのサービスからもログアウトしてください。',
    title: 'ログアウトしました',
    text: (service) =>
      `このブラウザで${service}からログアウトしました。開いているアプリでは、ログイン状態が続くことがあります。`,
    again: 'もう一度ログイン',
  },

  inactivity: {
    disabled: '使用されていないためアカウントを無効化',
    email: {
      subject: 'アカウントがまもなく無効になります',
      text: (at) =>
        `アカウントが長期間使用されていません。${at}までにログインするか、アプリを使用してください。どちらも行われない場合、アカウントは無効になります。`,
      action: 'ログインしてアカウントを維持',
    },
  },

  accessRequests: {
    text: 'このアカウントには、このアプリの利用が許可されていません。アクセス権をリクエストするか、別のアカウントを使用してください。',
    note: '理由（任意）',
    noteHint: (most) => `${most}文字以内。リクエストを承認する担当者に表示されます。`,
    noteProblem: (most) => `${most}文字以内のテキストで入力してください。`,
    ask: 'アクセス権をリクエスト',
    asked: (day) => `${day}にアクセス権をリクエストしました。まだ承認されていません。`,
    told: '結果はメールでお知らせします。',
    declined: 'リクエストは却下されました。1日経過すると、もう一度リクエストできます。',
    tooMany: '本日のリクエスト数が上限に達しました。明日もう一度お試しください。',
    emails: {
      waiting: {
        subject: 'アクセス権のリクエスト',
        text: '次のユーザーがアクセス権をリクエストしています。',
        action: 'リクエストを確認',
      },
      allowed: {
        subject: (app) => `「${app}」を利用できるようになりました`,
        text: (app) => `リクエストが承認され、「${app}」を利用できるようになりました。`,
        action: (app) => `「${app}」を開く`,
      },
      declined: {
        subject: 'アクセス権のリクエストが却下されました',
        text: (app) => `「${app}」へのアクセス権のリクエストは却下されました。`,
        reason: '理由：',
      },
    },
  },

  ends: {
    title: 'アクセスの終了',
    own: (at) => `アクセスは${at}に終了します。`,
    line: (what, at) => `${what}：${at}`,
    email: {
      subject: 'アクセスがまもなく終了します',
      text: '次のアクセスがまもなく終了します。引き続き必要な場合は、管理者にお問い合わせください。',
      account: 'お使いのアカウント',
      membership: (name) => `グループ「${name}」への所属`,
      application: (name) => `「${name}」へのアクセス`,
      action: 'アカウントを開く',
    },
    list: {
      subject: 'まもなく終了するアクセス',
      text: '次のアクセスが7日以内に終了します。延長するには、新しい日付を設定してください。',
      account: (person) => `${person}、アカウント`,
      membership: (person, group) => `${person}、グループ「${group}」`,
      application: (person, app) => `${person}、アプリ「${app}」`,
      groupApplication: (group, app) => `グループ「${group}」、アプリ「${app}」`,
      more: (count) => `ほか${number(count)}件。`,
      action: 'まもなく終了するアクセスを確認',
    },
  },

  reviews: {
    due: {
      subject: (name) => `レビューの期限が近づいています：${name}`,
      text: (name, at) =>
        `アクセスレビュー「${name}」の期限は${at}です。アプリケーションへのアクセスを誰に残すかを決めてください。`,
      left: (count) => `未決定の項目が${number(count)}件あります。`,
      action: 'レビューを開く',
    },
  },
  directories: {
    refused: {
      subject: 'ディレクトリが管理ロールを持つユーザーを変更しようとしました',
      text: 'ディレクトリが、管理ロールを持つユーザーを変更しようとしました。変更できるのは管理者だけなので、何も変更されていません。リクエスト数：',
      after:
        '退職したユーザーがいる場合は、そのアカウントを無効にしてください。心当たりがない場合は、ディレクトリの SCIM トークンを取り消してください。',
      action: 'イベントを表示',
    },
  },

  errors: {
    reference: '参照番号',
    home: 'アカウントに移動',
    unknownClient: {
      title: 'このログイン用リンクは無効です',
      text: '移動元のアプリがこのサービスに登録されていません。アプリと共有された情報はありません。',
      todo: 'アプリに戻って、もう一度お試しください。問題が解決しない場合は、下の参照番号を添えてアプリの開発者にお問い合わせください。',
    },
    redirectUri: {
      title: 'このログイン用リンクは無効です',
      text: 'アプリから、登録されていないURLへの移動を求められました。安全のため、移動を中止しました。情報は共有されていません。',
      todo: 'アプリに戻って、もう一度お試しください。問題が解決しない場合は、下の参照番号を添えてアプリの開発者にお問い合わせください。管理者は、この番号から両方のURLを確認できます。',
    },
    clientRevoked: {
      title: 'このアプリは利用できなくなりました',
      text: '管理者がこのアプリでのログインを停止しました。お使いのアカウントに影響はありません。',
      todo: 'アプリの開発者または管理者にお問い合わせください。',
    },
    tooManyApprovals: {
      title: 'ログイン回数が多すぎます',
      text: '短時間に何度もアプリにログインしました。情報は共有されていません。',
      todo: '数秒待ってからアプリに戻り、もう一度お試しください。問題が解決しない場合は、アプリの開発者にお問い合わせください。',
    },
    tooManyDownloads: {
      title: 'ダウンロードが集中しています',
      text: 'データの別のダウンロードがまだ完了していないか、現在多くのユーザーがダウンロードを行っています。',
      todo: '1分ほど待ってから、もう一度お試しください。',
    },
    formExpired: {
      title: 'このページは期限切れです',
      text: '別のブラウザで開いたか、ページを開いた後にログインまたはログアウトしたか、ブラウザがCookieをブロックしている可能性があります。変更は行われていません。',
      todo: '前のページに戻って、最初からやり直してください。問題が解決しない場合は、このサイトのCookieを許可してください。',
    },
    foreignForm: {
      title: '別のサイトからのリクエストです',
      text: '別のサイトがこのフォームを送信しようとしました。変更は行われていません。',
      todo: (baseUrl) => `ご自身による操作の場合は ${baseUrl} を開き、もう一度お試しください。`,
    },
    notAdministrator: {
      title: '管理者権限が必要です',
      text: 'お使いのアカウントでは、このページを表示できません。',
      todo: '管理者に権限をリクエストするか、別のアカウントでログインしてください。',
    },
    otherAccount: {
      title: '別のアカウント用のリンクです',
      text: 'この変更をリクエストしたアカウントとは別のアカウントでログインしています。変更は行われていません。',
      todo: 'ログアウトして、変更をリクエストしたアカウントでログインし、もう一度リンクを開いてください。',
    },
    badRequest: {
      title: 'リクエストを処理できませんでした',
      text: 'リクエストの形式が正しくありません。変更は行われていません。',
      todo: '前のページに戻って、もう一度お試しください。',
    },
    notFound: {
      title: 'ページが見つかりません',
      text: 'リンクが間違っているか、ページが削除された可能性があります。',
      todo: 'URLを確認するか、アカウントに移動してください。',
    },
    methodNotAllowed: {
      title: 'この操作は実行できません',
      text: 'このURLは、この種類のリクエストに対応していません。',
      todo: '前のページに戻って、もう一度お試しください。',
    },
    tooLarge: {
      title: 'サイズが大きすぎます',
      text: 'リクエストが、このサービスで受け付けられるサイズを超えています。変更は行われていません。',
      todo: '前のページに戻って、もう一度お試しください。アプリから移動してきた場合は、アプリの開発者にお問い合わせください。',
    },
    busy: {
      title: 'ただいま混み合っています',
      text: '現在、サービスが応答できません。変更は行われていません。',
      todo: '数秒待ってから、このページを再読み込みしてください。',
    },
    outcomeUnknown: {
      title: '変更を保存できたか確認できません',
      text: '保存中にデータベースとの接続が切れました。変更は保存されている可能性があります。',
      todo: '数秒待ち、変更が反映されているか確認してから、必要に応じてもう一度お試しください。',
    },
    fault: {
      title: 'エラーが発生しました',
      text: 'サービス側で問題が発生しました。エラーの内容は記録されています。',
      todo: 'もう一度お試しください。問題が解決しない場合は、下の参照番号を添えて管理者にお問い合わせください。',
    },
  },
};
