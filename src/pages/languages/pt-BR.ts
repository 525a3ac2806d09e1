// Brazilian Portuguese, with "você", and wording that doesn't depend on the reader's gender.

import type { Catalogue } from './en.ts';
import { wording } from './wording.ts';

const { plural, number } = wording<'one' | 'many' | 'other'>('pt-BR');

const waitingTime = (minutes: number) => {
  if (minutes <= 90) {
    const n = number(minutes);
    return plural(minutes, { one: 'um minuto', many: `${n} de minutos`, other: `${n} minutos` });
  }
  const hours = Math.ceil(minutes / 60);
  if (hours <= 48) {
    const n = number(hours);
    return plural(hours, { one: 'uma hora', many: `${n} de horas`, other: `${n} horas` });
  }
  const days = Math.ceil(hours / 24);
  const n = number(days);
  return plural(days, { one: 'um dia', many: `${n} de dias`, other: `${n} dias` });
};

/** Intl writes "1 de março", but in a sentence it is "em 1º de março". */
const on = (day: string) => `em ${day.replace(/^1 /, '1º ')}`;

const eachCode = 'Cada código permite fazer login uma vez sem o seu dispositivo.';

const notConfirmed =
  'Não foi possível confirmar qual app abriu esta página. Por isso, não redirecionamos você de volta para ele.';

export const ptBR: Catalogue = {
  skipToContent: 'Ir para o conteúdo',
  dismiss: 'Fechar',
  title: (page, service) => `${page} · ${service}`,
  languagePicker: 'Idioma',
  links: { support: 'Ajuda', terms: 'Termos de Serviço', privacy: 'Política de Privacidade' },

  signIn: {
    title: 'Fazer login',
    continueTo: (app) => `para continuar em ${app}`,
    toAccount: 'na sua conta',
    email: 'E-mail',
    password: 'Senha',
    submit: 'Fazer login',
    failed: 'E-mail ou senha incorretos.',
    throttled: (minutes) => `Muitas tentativas sem sucesso. Tente novamente em ${waitingTime(minutes)}.`,
    incomplete: 'Digite seu e-mail e sua senha.',
    forgotten: 'Esqueceu a senha?',
    create: 'Criar conta',
    passkey: 'Fazer login com chave de acesso',
    passkeyFailed: 'A chave de acesso não funcionou. Tente novamente ou use sua senha.',
    keep: 'Manter a conta conectada',
  },

  emailCodes: {
    send: 'Receber um código por e-mail',
    title: 'Confira seu e-mail',
    lead: (email) =>
      `Enviamos um e-mail para ${email}. Digite o código que está nele. Ele vale por 10 minutos, uma única vez e só neste navegador.`,
    code: 'Código',
    again: 'Enviar um novo código',
    usePassword: 'Usar sua senha',
    wrong: 'O código está incorreto ou expirou.',
    spent: 'Muitos códigos incorretos. Peça um novo.',
    recoveryTitle: 'Fale com o administrador',
    recovery:
      'Seu e-mail nunca tinha sido verificado e a verificação em duas etapas está ativada nesta conta, então outra pessoa pode ter feito a configuração. Peça ao administrador que remova a verificação em duas etapas e dê a você um link de recuperação.',
    proofLead: (email) => `Vamos enviar um código para ${email}. Não vamos perguntar de novo por 15 minutos.`,
    reviewLead: (day) =>
      `Seu e-mail foi verificado (${day}). O que foi configurado antes, como uma senha, foi removido, porque outra pessoa pode ter feito isso. Confira o que ainda tem acesso à sua conta.`,
    reviewMethods: 'Somente códigos por e-mail.',
    email: {
      subjects: { sign_in: 'Seu código de login', proof: 'Seu código de confirmação' },
      texts: {
        sign_in:
          'Digite este código para fazer login. Ele funciona uma única vez, no navegador em que foi pedido, e expira em 10 minutos.',
        proof:
          'Digite este código para confirmar sua identidade. Ele funciona uma única vez, no navegador em que foi pedido, e expira em 10 minutos.',
      },
      asked: (device, ipAddress) => `Pedido feito em: ${device}, endereço IP ${ipAddress}.`,
      warning: 'Se não foi você, ignore este e-mail. Não compartilhe o código com ninguém.',
    },
    notForYou: {
      subject: 'Faça login com sua senha ou chave de acesso',
      text: 'Alguém, provavelmente você, pediu um código para fazer login. Sua conta usa a verificação em duas etapas, então é preciso usar a senha ou uma chave de acesso.',
    },
    noAccount:
      'Alguém, provavelmente você, pediu um código para fazer login com este e-mail, mas nenhuma conta o usa. Talvez você tenha criado sua conta com outro e-mail.',
  },

  account: {
    email: 'E-mail',
    password: 'Senha',
    newPassword: 'Nova senha',
    newPasswordHint: 'Pelo menos 8 caracteres. Experimente algumas palavras sem relação entre si.',
    name: 'Nome completo',
    nav: 'Sua conta',
    signOut: 'Sair',
    signedInAs: 'Você fez login como',
    menu: 'Menu',
    reveal: { show: 'Mostrar', hide: 'Ocultar', showPassword: 'Mostrar senha', hidePassword: 'Ocultar senha' },
    file: { choose: 'Escolher arquivo', none: 'Nenhum arquivo escolhido' },
    throttled: (minutes) => `Muitas tentativas. Tente novamente em ${waitingTime(minutes)}.`,
    invalidName: 'Digite um nome de até 100 caracteres, com pelo menos um visível.',
    invalidEmail: 'Digite um e-mail válido.',
    managed: 'Sua organização gerencia isto.',
    noEmail:
      'Este recurso não está disponível porque o serviço ainda não pode enviar e-mails. Fale com o administrador.',
    passwordProblems: {
      too_short: 'Use pelo menos 8 caracteres.',
      too_long: 'Use no máximo 256 caracteres.',
      not_text: 'A senha contém caracteres que não podem ser usados.',
      common: 'Essa senha é muito comum. Escolha outra.',
      personal: 'A senha não pode ser seu nome nem seu e-mail. Escolha outra.',
      breached:
        'Essa senha apareceu em um vazamento de dados, e outras pessoas podem conhecê-la. Escolha uma que você não use em nenhum outro lugar.',
      not_allowed: 'Não é possível usar senhas aqui. Crie uma chave de acesso.',
    },
    sections: {
      home: 'Seus apps',
      profile: 'Perfil',
      security: 'Segurança',
      sessions: 'Dispositivos',
      apps: 'Apps conectados',
      activity: 'Atividade',
      data: 'Seus dados',
    },
    console: 'Console de administração',
    notices: {
      welcome: 'Boas-vindas! Sua conta está pronta.',
      profile: 'Perfil salvo.',
      picture: 'Foto atualizada.',
      password: 'Senha alterada. Sua conta foi desconectada dos outros dispositivos.',
      authenticator: 'App autenticador removido.',
      'authenticator-added': 'App autenticador adicionado.',
      passkey: 'Chave de acesso removida.',
      'password-removed': 'Senha removida. Sua conta foi desconectada dos outros dispositivos.',
      'password-set': 'Senha definida. Sua conta foi desconectada dos outros dispositivos.',
      'identity-linked': 'Conta vinculada.',
      'identity-unlinked': 'Conta desvinculada.',
      'passkey-added': 'Chave de acesso adicionada.',
      session: 'Dispositivo desconectado.',
      sessions: 'Outros dispositivos desconectados.',
      proof: 'Identidade confirmada.',
      untrusted: 'O dispositivo não é mais confiável.',
      'method-kept': 'Método de login mantido.',
      'method-removed': 'Método de login removido.',
      'not-possible': 'Não foi possível concluir a ação. Algo pode ter mudado em outra janela.',
    },

    signUp: {
      title: 'Criar conta',
      toContinue: (app) => `para continuar em ${app}`,
      lead: 'Vamos enviar um e-mail com um link para você concluir a criação da conta.',
      submit: 'Enviar link',
      haveOne: 'Já tem uma conta?',
      closed: 'As contas deste serviço são criadas por um administrador. Peça que ele crie a sua.',
      finishTitle: 'Conclua a criação da sua conta',
      finishLead: (email) => `Você vai fazer login como ${email}.`,
      inviteTitle: 'Você recebeu um convite',
      setUpTitle: 'Configurar este serviço',
      setUpLead: 'Crie a primeira conta de administrador.',
      emailTaken: 'Já existe uma conta com esse e-mail.',
      nameHint: 'O nome que os apps vão ver.',
      finish: 'Criar conta',
    },
    emailSent: {
      title: 'Confira seu e-mail',
      text: (email) => `Enviamos um e-mail para ${email}. Abra o link da mensagem para continuar.`,
      hint: 'Não chegou nada depois de alguns minutos? Confira a pasta de spam ou tente novamente.',
      again: 'Enviar novamente',
      other: 'Usar outro e-mail',
      outbox: 'Este serviço está em modo de desenvolvimento: o e-mail está na caixa de saída.',
    },
    resetPassword: {
      title: 'Redefinir senha',
      lead: 'Vamos enviar um e-mail com um link para você escolher uma nova senha. Ele só pode ser usado uma vez e expira em 30 minutos.',
      submit: 'Enviar link',
      back: 'Voltar para o login',
      finishTitle: 'Escolha uma nova senha',
      finishLead: 'Sua conta será desconectada de todos os dispositivos.',
      finish: 'Definir senha',
      doneTitle: 'Senha alterada',
      done: 'Faça login com a nova senha. Os métodos de login adicionados nos últimos 7 dias ficam pausados até você revisá-los.',
      signIn: 'Fazer login',
    },
    linkExpired: {
      title: 'Este link expirou',
      text: 'Talvez ele já tenha sido usado ou substituído por outro mais recente. Nada foi alterado.',
      again: 'Receber um novo link',
      askAdministrator: 'Peça um novo link ao administrador.',
    },

    secondStep: {
      title: 'Verificação em duas etapas',
      lead: 'Digite o código do app autenticador ou um código de recuperação.',
      leadPasskeyOnly: 'Use sua chave de acesso ou digite um código de recuperação.',
      code: 'Código',
      submit: 'Continuar',
      passkey: 'Usar uma chave de acesso',
      failed: 'O código está incorreto ou já foi usado.',
      passkeyFailed: 'A chave de acesso não funcionou. Tente novamente ou digite um código.',
      tooManyCodes: (minutes) =>
        `Muitos códigos incorretos. Use um código de recuperação ou uma chave de acesso, ou tente novamente em ${waitingTime(minutes)}.`,
      trust: 'Não pedir código neste dispositivo por 30 dias',
      lost: 'Perdeu o dispositivo e os códigos de recuperação? Fale com o administrador.',
      other: 'Usar outra conta',
    },

    proof: {
      leadElsewhere: 'Faça login novamente para continuar. Não vamos perguntar de novo por 15 minutos.',
      noWay:
        'Não é possível confirmar sua identidade agora: você não tem senha e a conta que usa para fazer login não está disponível. Primeiro, defina uma senha por e-mail.',
      byEmail: 'Definir uma senha por e-mail',
      confirmedTitle: 'Identidade confirmada',
      confirmed: 'Agora você pode continuar com a alteração.',
      goOn: 'Continuar',
      title: 'Confirme sua identidade',
      lead: 'Digite sua senha para continuar. Ela não será pedida de novo por 15 minutos.',
      leadWithCode: 'Use a verificação em duas etapas para continuar. Ela não será pedida de novo por 15 minutos.',
      password: 'Senha',
      submit: 'Confirmar',
      enterCode: 'Digite seu código.',
      wrongPassword: 'Senha incorreta.',
      cancel: 'Cancelar',
    },

    profile: {
      pictureElsewhere: (host) => `Sua foto vem de ${host}. Ela não é exibida aqui.`,
      lead: 'O que os apps veem quando você compartilha seu perfil com eles.',
      givenName: 'Nome',
      familyName: 'Sobrenome',
      username: 'Nome de usuário',
      usernameHint:
        'Opcional. De 3 a 30 caracteres, começando com uma letra. Os apps que veem seu perfil podem exibir esse nome.',
      usernameTaken: 'Esse nome de usuário já está em uso.',
      usernameProblems: {
        too_short: 'Use pelo menos 3 caracteres.',
        too_long: 'Use no máximo 30 caracteres.',
        invalid_start: 'O nome de usuário deve começar com uma letra.',
        invalid_characters: 'Use apenas letras de a a z, números, pontos, hifens e sublinhados.',
      },
      locale: 'Idioma',
      noLocale: 'Não definido',
      save: 'Salvar perfil',
      invalidLocale: 'Escolha um idioma da lista.',
      picture: 'Foto',
      pictureHint: 'PNG, JPEG ou WebP, com até 512 KB. Os dados de localização são removidos.',
      upload: 'Enviar foto',
      removePicture: 'Remover foto',
      pictureProblems: {
        not_a_picture: 'O arquivo não é uma imagem PNG, JPEG ou WebP, ou está danificado.',
        too_large: 'A foto tem mais de 512 KB.',
        too_many_pixels: 'A foto tem pixels demais.',
        none: 'Escolha um arquivo primeiro.',
      },
      address: 'E-mail',
      verified: 'verificado',
      unverified: 'não verificado',
      verify: 'Verificar e-mail',
      changeAddress: 'Alterar e-mail',
    },
    attributes: {
      none: 'Não definido',
      yes: 'Sim',
      no: 'Não',
      list: 'Separe os itens com vírgulas.',
      listOf: (values) => `Separe os itens com vírgulas. Permitidos: ${values}.`,
      problems: {
        wrong_kind: 'Digite um número, como 12.5.',
        not_allowed: 'Use apenas os valores permitidos.',
        too_long: 'Esse valor é longo demais.',
        characters: 'Esse valor tem caracteres que não são permitidos.',
      },
    },
    changeEmail: {
      title: 'Alterar e-mail',
      lead: (email) => `Seu e-mail é ${email}. Ele só vai mudar quando você abrir o link que enviaremos para o novo.`,
      newAddress: 'Novo e-mail',
      submit: 'Enviar link',
      same: 'Esse já é o seu e-mail.',
      confirmTitle: 'Confirme seu novo e-mail',
      confirmLead: (email, current) => `Seu e-mail vai mudar de ${current} para ${email}.`,
      confirm: 'Confirmar e-mail',
      changedTitle: 'E-mail alterado',
      confirmed: (email) => `Agora seu e-mail é ${email}. Use-o para fazer login.`,
      verifyLead: (email) => `Confirme que ${email} é o seu e-mail.`,
      verifiedTitle: 'E-mail verificado',
      verified: (email) => `${email} foi verificado.`,
      toAccount: 'Ir para a sua conta',
      back: 'Voltar para o perfil',
    },
    security: {
      noPassword:
        'Você não tem senha. Com uma senha, é possível fazer login mesmo se você perder o acesso a uma conta vinculada.',
      setPassword: 'Definir uma senha',
      authenticatorOffAlone: 'Proteja sua conta com um código de um app no celular sempre que fizer login.',
      proof: 'Código do app autenticador ou código de recuperação',
      proofByRecoveryCode: 'Código de recuperação',
      passwordTitle: 'Senha',
      changePassword: 'Alterar senha',
      breached:
        'Sua senha apareceu em um vazamento de dados de outro serviço, e outras pessoas podem conhecê-la. Altere-a em breve, aqui e em todos os lugares onde você a usa.',
      authenticatorTitle: 'App autenticador',
      authenticatorOff: 'Além da senha, proteja sua conta com um código gerado por um app no seu celular.',
      on: 'Ativado',
      authenticatorOn: 'Um código do app será pedido quando você fizer login.',
      setUp: 'Configurar app autenticador',
      remove: 'Remover',
      removeNamed: (name) => `Remover a chave de acesso “${name}”`,
      removeApp: 'Remover app autenticador',
      codesTitle: 'Códigos de recuperação',
      noCodesLeft: 'Você não tem mais códigos de recuperação. Crie novos.',
      codesLeft: (count) =>
        plural(count, {
          one: `Resta ${number(count)} código de recuperação. Ele permite fazer login uma vez sem o seu dispositivo.`,
          many: `Restam ${number(count)} de códigos de recuperação. ${eachCode}`,
          other: `Restam ${number(count)} códigos de recuperação. ${eachCode}`,
        }),
      newCodes: 'Criar novos códigos',
      passkeysTitle: 'Chaves de acesso',
      passkeysLead: 'Faça login sem senha, usando sua impressão digital, seu rosto ou o bloqueio de tela.',
      passkeyName: 'Nome da chave de acesso',
      passkeyNameHint: 'Por exemplo, “Meu celular”.',
      addPasskey: 'Adicionar chave de acesso',
      needsScript: 'As chaves de acesso exigem JavaScript e um navegador compatível.',
      added: 'Data de inclusão',
      lastUsed: 'Último uso',
      never: 'Nunca',
      passkeyFailed: 'Não foi possível adicionar a chave de acesso. Tente novamente.',
      tooManyPasskeys: 'Você atingiu o limite de 20 chaves de acesso. Remova uma para adicionar outra.',
      lastWay:
        'Esta é sua única forma de fazer login. Defina uma senha ou adicione outra chave de acesso antes de removê-la.',
      confirmedForPasskey: 'Identidade confirmada. Agora você pode adicionar a chave de acesso.',
    },
    identities: {
      title: 'Contas vinculadas',
      lead: 'Contas de outros serviços que você pode usar para fazer login.',
      linked: 'Vinculada',
      noEmail: 'E-mail não compartilhado',
      disabled: 'Indisponível',
      link: (label) => `Vincular ${label}`,
      tooMany: 'Você atingiu o limite de 10 contas vinculadas. Desvincule uma para vincular outra.',
      unlink: 'Desvincular',
      unlinkNamed: (label) => `Desvincular ${label}`,
      lastWay:
        'Esta é sua única forma de fazer login. Defina uma senha ou adicione uma chave de acesso antes de desvincular.',
    },
    authenticator: {
      title: 'Configurar um app autenticador',
      scan: 'Leia este QR code com o app autenticador.',
      alt: 'QR code com a chave de configuração do app autenticador',
      orType: 'Ou digite esta chave de configuração no app:',
      open: 'Abrir no app autenticador',
      copy: 'Copiar chave',
      code: 'Código de 6 dígitos do app',
      submit: 'Ativar',
      wrongCode:
        'O código está incorreto. Os códigos mudam a cada 30 segundos. Confira se o relógio do seu celular está certo.',
      already: 'Você já configurou um app autenticador. Remova-o primeiro.',
      back: 'Voltar para Segurança',
    },
    codes: {
      title: 'Salve seus códigos de recuperação',
      lead: `${eachCode} Salve os códigos agora, porque não será possível vê-los de novo.`,
      done: 'Já salvei meus códigos',
      copy: 'Copiar códigos',
      copied: 'Copiado',
      download: 'Baixar códigos',
      print: 'Imprimir códigos',
      file: (service, email) => `Códigos de recuperação de ${email} em ${service}`,
    },
    sessions: {
      lead: 'Dispositivos em que sua conta está conectada.',
      current: 'Este dispositivo',
      since: 'Data do login',
      lastSeen: 'Última atividade',
      from: 'Endereço IP',
      end: 'Desconectar',
      endNamed: (device) => `Desconectar ${device}`,
      endOthers: 'Desconectar outros dispositivos',
      onlyThis: 'Sua conta não está conectada em nenhum outro dispositivo.',
      trusted: 'Dispositivos confiáveis',
      trustedLead: 'Nestes dispositivos, nenhum código é pedido quando você faz login com a senha.',
      trustedUntil: 'Até',
      lastSignIn: 'Último uso',
      untrust: 'Remover da lista',
      untrustNamed: (device) => `Remover da lista: ${device}`,
    },
    activity: {
      lead: 'Atividade recente da sua conta. Se não reconhecer algo, altere sua senha.',
      none: 'Nenhuma atividade ainda.',
      byAdministrator: 'Por um administrador',
      older: 'Atividade anterior',
      someApp: 'um app',
    },
    data: {
      downloadTitle: 'Baixar seus dados',
      downloadLead: 'Tudo o que armazenamos sobre você, em um arquivo JSON.',
      download: 'Baixar dados',
      deleteTitle: 'Excluir sua conta',
      deleteLead: 'Os apps perdem o acesso imediatamente. Não é possível desfazer essa ação.',
      deleteQuestion: (email) => `Excluir a conta ${email}?`,
      deleteText:
        'Seu perfil, seus métodos de login e seus apps conectados serão excluídos definitivamente, e você sairá da conta em todos os dispositivos.',
      delete: 'Excluir conta',
      lastAdministrator: 'Não há outros administradores. Primeiro, dê acesso de administrador a outra pessoa.',
      deletedTitle: 'Conta excluída',
      deleted:
        'Mantemos apenas um registro de que a conta existiu. Os apps podem ter guardado o que você compartilhou com eles.',
    },
    ownEvents: {
      signed_in: 'Login feito',
      sign_in_failed: 'Falha no login',
      second_step_asked: 'Senha correta, aguardando a verificação em duas etapas',
      session_raised: 'Identidade confirmada com a verificação em duas etapas',
      signed_out: 'Saída da conta',
      approved: (app) => `Acesso concedido a ${app}`,
      let_in: (app) => `Login feito em ${app}`,
      approvals_throttled: (app) => `Muitos logins em ${app}; pausados por um momento`,
      authorization_denied: (app) => `Acesso negado a ${app}`,
      app_removed: (app) => `Acesso removido de ${app}`,
      signed_up: 'Conta criada',
      user_created: 'Conta criada por um administrador',
      user_password_set: 'Senha alterada por um administrador',
      user_disabled: 'Conta desativada por um administrador',
      user_expired: 'O acesso à conta terminou na data prevista',
      user_enabled: 'Conta reativada por um administrador',
      user_approved: 'Conta aprovada por um administrador',
      user_edited: 'Perfil alterado por um administrador',
      user_email_verified: 'E-mail verificado por um administrador',
      user_made_administrator: 'Acesso de administrador concedido',
      user_administrator_removed: 'Acesso de administrador removido',
      user_roles_changed: 'Funções alteradas por um administrador',
      user_reset_sent: 'Link de redefinição de senha enviado por um administrador',
      user_recovery_link_made: 'Link de recuperação criado por um administrador',
      first_administrator_created: 'Primeira conta de administrador criada',
      email_code_requested: 'Código de login solicitado',
      email_verified_by_code: 'E-mail verificado com um código',
      account_claimed: 'Conta redefinida para o titular',
      password_reset_requested: 'Redefinição de senha solicitada',
      password_reset: 'Senha redefinida por e-mail',
      password_changed: 'Senha alterada',
      password_removed: 'Senha removida',
      password_found_in_breach: 'Senha encontrada em um vazamento de dados',
      profile_changed: 'Perfil atualizado',
      picture_changed: 'Foto atualizada',
      email_change_requested: 'Alteração de e-mail solicitada',
      email_changed: 'E-mail alterado',
      sessions_ended: 'Outros dispositivos desconectados',
      device_trusted: 'Dispositivo confiável adicionado',
      device_trust_ended: 'Dispositivo confiável removido',
      authenticator_added: 'App autenticador adicionado',
      authenticator_removed: 'App autenticador removido',
      recovery_codes_replaced: 'Códigos de recuperação criados',
      recovery_codes_removed: 'Códigos de recuperação removidos',
      recovery_code_used: 'Código de recuperação usado',
      passkey_added: (name) => `Chave de acesso “${name}” adicionada`,
      passkey_removed: 'Chave de acesso removida',
      second_factors_removed: 'Verificação em duas etapas removida por um administrador',
      identity_linked: (name) => `Login com ${name} vinculado`,
      identity_unlinked: (name) => `Login com ${name} desvinculado`,
      factor_undone: 'Novo método de login desfeito, conta desconectada de todos os dispositivos',
      factor_kept: 'Método de login pausado mantido',
      account_reviewed: 'Acessos à conta revisados',
      data_downloaded: 'Dados baixados',
      grant_ended_by_replay: (app) => `Acesso removido de ${app} porque um código foi usado duas vezes`,
    },
    methods: {
      password: 'Senha',
      password_and_code: 'Senha e código',
      password_and_recovery_code: 'Senha e código de recuperação',
      password_and_passkey: 'Senha e chave de acesso',
      passkey: 'Chave de acesso',
      password_on_trusted_device: 'Senha em um dispositivo confiável',
      sign_up: 'Primeiro login',
      upstream: 'Provedor de identidade',
      upstream_on_trusted_device: 'Provedor de identidade em um dispositivo confiável',
      upstream_two_factors: 'Provedor de identidade com verificação em duas etapas',
      upstream_and_code: 'Provedor de identidade e código',
      upstream_and_recovery_code: 'Provedor de identidade e código de recuperação',
      upstream_and_passkey: 'Provedor de identidade e chave de acesso',
      email_code: 'Código por e-mail',
      email_code_and_code: 'Códigos por e-mail e de um app',
      email_code_and_recovery_code: 'Código por e-mail e código de recuperação',
      email_code_and_passkey: 'Código por e-mail e chave de acesso',
    },
    reasons: {
      wrong_password: 'Senha incorreta',
      wrong_second_step: 'Código incorreto depois da senha correta',
      wrong_password_in_account: 'Senha incorreta ao confirmar a identidade',
      wrong_passkey: 'Chave de acesso não aceita',
      wrong_email_code: 'Código do e-mail incorreto',
      unverified_email: 'E-mail não verificado',
      throttled: 'Muitas tentativas',
      disabled: 'Conta desativada',
      expired: 'Acesso encerrado',
      waiting_for_approval: 'Conta aguardando aprovação',
      password_over: 'Senha correta, mas as senhas não funcionam mais',
      changed_meanwhile: 'Conta alterada ao mesmo tempo',
      upstream_identity_taken: 'Vinculada a outra conta',
      upstream_other_person: 'Não é a conta vinculada',
      upstream_not_fresh: 'O provedor de identidade não pediu um novo login',
    },
  },

  device: {
    on: (browser, system) => `${browser} no ${system}`,
    unknownOn: (system) => `Navegador desconhecido no ${system}`,
    unknown: 'Navegador desconhecido',
  },

  emails: {
    greeting: 'Olá,',
    ignore: 'Se você não esperava este e-mail, pode ignorá-lo.',
    notYou: 'Se não foi você, redefina sua senha imediatamente:',
    notYouEither: 'Se não foi você, remova tudo o que não reconhecer e altere sua senha:',
    lookAtSecurity: 'Revisar configurações de segurança',
    finishSignUp: {
      subject: 'Conclua a criação da sua conta',
      text: 'Abra este link para configurar sua conta. Ele só pode ser usado uma vez e expira em 24 horas.',
      action: 'Criar conta',
    },
    addressHasAccount: {
      subject: 'Você já tem uma conta',
      text: 'Alguém, provavelmente você, tentou criar uma conta com este e-mail, mas já existe uma. Você pode fazer login ou redefinir sua senha na mesma página.',
      action: 'Fazer login',
    },
    resetPassword: {
      subject: 'Redefina sua senha',
      text: 'Abra este link para escolher uma nova senha. Ele só pode ser usado uma vez e expira em 30 minutos.',
      action: 'Redefinir senha',
    },
    invitation: {
      subject: 'Você recebeu um convite',
      text: (service) =>
        `Você recebeu um convite para criar uma conta em ${service}. Abra este link para configurar sua conta. Ele só pode ser usado uma vez e expira em 7 dias.`,
      textFrom: (inviter, service) =>
        `${inviter} convidou você para criar uma conta em ${service}. Abra este link para configurar sua conta. Ele só pode ser usado uma vez e expira em 7 dias.`,
      action: 'Aceitar convite',
    },
    noAccount: {
      subject: 'Nenhuma conta com este e-mail',
      text: 'Alguém, provavelmente você, tentou redefinir a senha de uma conta com este e-mail, mas ela não existe. Talvez você tenha criado sua conta com outro e-mail.',
      action: 'Tentar outro e-mail',
    },
    confirmAddress: {
      subject: 'Confirme seu e-mail',
      text: 'Abra este link e faça login para usar este e-mail na sua conta. Ele só pode ser usado uma vez e expira em 24 horas.',
      action: 'Confirmar e-mail',
    },
    accountClaimed: {
      subject: 'Sua conta foi redefinida',
      text: 'Você mostrou que este e-mail é seu. Ninguém tinha feito isso antes, então outra pessoa pode ter configurado a conta. Tudo o que havia nela foi removido: a senha, outras formas de entrar, os dispositivos e o acesso dos aplicativos.',
    },
    passwordChanged: {
      subject: 'Sua senha foi alterada',
      text: 'A senha da sua conta foi alterada, e a conta foi desconectada dos outros dispositivos.',
      action: 'Redefinir senha',
    },
    setUpFactor: {
      subject: 'Configure a verificação em duas etapas',
      text: 'Você fez login com sua senha. Não foi possível transferir seu segundo fator para este serviço. Para continuar, configure novamente a verificação em duas etapas. O link funciona por 30 minutos.',
      action: 'Configurar verificação',
      notYou: 'Se não foi você, outra pessoa sabe sua senha. Não abra o link e redefina sua senha na página de login.',
    },
    passwordBreached: {
      subject: 'Altere sua senha em breve',
      text: 'A senha da sua conta está em uma lista de senhas obtidas em vazamentos de dados de outros serviços. Isso não significa que alguém entrou na sua conta, mas invasores testam as senhas dessas listas. Escolha uma nova senha que você não use em nenhum outro lugar:',
      action: 'Alterar senha',
      after: 'Se você usa a mesma senha em outros lugares, altere-a lá também.',
    },
    addressChangeAsked: {
      subject: 'Alteração de e-mail solicitada',
      text: (email) =>
        `Alguém pediu para alterar o e-mail da sua conta para ${email}. A alteração será feita quando o link enviado para esse endereço for aberto.`,
      action: 'Redefinir senha',
    },
    addressChanged: {
      subject: 'Seu e-mail foi alterado',
      text: (email) => `Agora o e-mail da sua conta é ${email}. Se não foi você, fale com o administrador.`,
    },
    factorAdded: {
      texts: {
        authenticator_added: 'Um app autenticador foi adicionado à sua conta.',
        passkey_added: 'Uma chave de acesso foi adicionada à sua conta.',
        recovery_codes_replaced:
          'Novos códigos de recuperação foram criados para sua conta. Os antigos não funcionam mais.',
      },
      undo: 'Se não foi você, abra este link para desfazer a alteração e desconectar sua conta de todos os dispositivos. Ele só pode ser usado uma vez e expira em 7 dias.',
      action: 'Não fui eu',
      ignore: 'Se foi você, não é preciso fazer nada.',
    },
    secondFactorChanged: {
      subject: 'Suas configurações de segurança foram alteradas',
      authenticator_removed: 'O app autenticador foi removido da sua conta.',
      passkey_removed: 'Uma chave de acesso foi removida da sua conta.',
      all_factors_removed:
        'Todos os métodos de login, exceto a senha, foram removidos da sua conta. A verificação em duas etapas está desativada.',
      second_factors_removed: 'Um administrador removeu o app autenticador e as chaves de acesso da sua conta.',
    },
    identityLinked: (label) => `Agora você pode fazer login na sua conta com ${label}.`,
    wrongCodes: {
      subject: 'Talvez alguém saiba sua senha',
      text: (device, at, ipAddress) =>
        `Alguém digitou sua senha e, depois, vários códigos de verificação incorretos. Última tentativa: ${device}, ${on(at)}, endereço IP ${ipAddress}. Essa pessoa não conseguiu fazer login.`,
      action: 'Redefinir senha',
    },
    recoveryCodeUsed: {
      subject: 'Um código de recuperação foi usado',
      text: (device, at, ipAddress) =>
        `Um dos seus códigos de recuperação foi usado na sua conta: ${device}, ${on(at)}, endereço IP ${ipAddress}.`,
    },
    newDevice: {
      subject: 'Novo login na sua conta',
      text: (device, at, ipAddress) =>
        `Houve um login na sua conta em um navegador que ainda não conhecíamos: ${device}, ${on(at)}, endereço IP ${ipAddress}.`,
      action: 'Redefinir senha',
    },
    apiKeyCreated: {
      subject: 'Nova chave de API',
      text: (name, fromCommandLine) =>
        fromCommandLine
          ? `Uma chave de API chamada “${name}” foi criada pela linha de comando.`
          : `Uma chave de API chamada “${name}” foi criada com a sua conta.`,
      permissions: {
        read: 'Ela permite ler tudo o que os administradores veem.',
        write: 'Ela permite gerenciar pessoas sem função, grupos não protegidos, aplicativos e webhooks.',
        administrator: 'Ela permite fazer tudo o que os administradores podem fazer.',
        people: 'Ela permite gerenciar pessoas sem função e grupos não protegidos.',
        applications: 'Ela permite gerenciar aplicativos.',
        auditor: 'Ela permite ler tudo o que os administradores veem, sem alterar nada.',
      },
      expires: (day) => `Ela expira ${on(day)}.`,
      neverExpires: 'Ela não expira.',
      notYou: 'Se você não a reconhece, revogue-a e altere sua senha:',
      action: 'Gerenciar chaves de API',
    },
    adminAccessChanged: {
      given: {
        subject: 'Agora você tem acesso de administrador',
        text: 'Agora você pode gerenciar os usuários e os apps deste serviço.',
        action: 'Abrir o console',
      },
      removed: {
        subject: 'Seu acesso de administrador foi removido',
        text: 'Você não pode mais gerenciar os usuários e os apps deste serviço.',
        action: 'Ir para a sua conta',
      },
      changed: {
        subject: 'Suas funções de administração mudaram',
        text: (roles: string) => `Suas funções neste serviço agora são: ${roles}.`,
        action: 'Abrir o console',
      },
      roles: { administrator: 'Administrador', people: 'Usuários', applications: 'Apps', auditor: 'Auditor' },
      notExpected: 'Se você não esperava por isso, fale com um administrador.',
    },
    recoveryLinkMade: {
      subject: 'Link de recuperação da sua conta',
      text: 'Um administrador criou um link para definir uma nova senha na sua conta. O link só pode ser usado uma vez, expira em 24 horas e desconecta a conta de todos os dispositivos. Se você não pediu ajuda, avise o administrador e confira a atividade da sua conta:',
      action: 'Ver sua atividade',
    },
    accountCreated: {
      subject: 'Sua nova conta',
      text: (service) =>
        `Uma conta em ${service} foi criada para você. Abra este link para configurar sua conta. Ele só pode ser usado uma vez e expira em 7 dias.`,
      textFrom: (inviter, service) =>
        `${inviter} criou uma conta em ${service} para você. Abra este link para configurar sua conta. Ele só pode ser usado uma vez e expira em 7 dias.`,
      action: 'Configurar conta',
    },
    profileEdited: {
      subject: 'Seu perfil foi alterado',
      text: (name) =>
        `Um administrador alterou seu perfil. Agora seu nome é ${name}. Se você não esperava por isso, fale com o administrador.`,
    },
    emailEdited: {
      subject: 'Seu e-mail foi alterado',
      text: (email) =>
        `Um administrador alterou o e-mail da sua conta para ${email}. Se você não esperava por isso, fale com o administrador.`,
    },
    accountDeleted: {
      subject: 'Sua conta foi excluída',
      text: 'Sua conta foi excluída, como você pediu. Os apps não têm mais acesso a ela.',
    },
  },

  approval: {
    title: 'Aguardando aprovação',
    text: 'Sua conta está aguardando aprovação.',
    told: 'Enviaremos um e-mail quando você puder fazer login.',
    needed: 'Depois, um administrador precisa aprovar sua conta.',
    fullTitle: 'Não foi possível criar sua conta',
    full: 'No momento, não é possível criar novas contas. Tente novamente mais tarde.',
    emails: {
      approved: {
        subject: 'Sua conta foi aprovada',
        text: (service) => `Sua conta em ${service} foi aprovada. Você já pode fazer login.`,
        action: 'Fazer login',
      },
      declined: {
        subject: 'Sua conta não foi aprovada',
        text: (service) =>
          `Sua solicitação de uma conta em ${service} foi recusada, e os dados que você informou foram excluídos. Mensagem do administrador:`,
      },
      waiting: {
        subject: 'Há pessoas aguardando aprovação',
        text: (count) =>
          plural(count, {
            one: `${number(count)} pessoa está aguardando que um administrador aprove sua conta.`,
            many: `${number(count)} de pessoas estão aguardando que um administrador aprove suas contas.`,
            other: `${number(count)} pessoas estão aguardando que um administrador aprove suas contas.`,
          }),
        action: 'Analisar solicitações',
      },
    },
  },
  signUpLinks: {
    linkNeeded: 'Você precisa de um link de cadastro para criar uma conta. Peça um ao administrador.',
    otherDomain: 'Não é possível criar uma conta com este endereço de e-mail. Use outro ou fale com o administrador.',
    ended: {
      used_up: 'Este link de cadastro já atingiu o limite de usos',
      expired: 'Este link de cadastro expirou',
      revoked: 'Este link de cadastro foi revogado',
    },
    endedText: 'Ele não pode mais ser usado para criar uma conta.',
  },

  recovery: {
    paused: {
      title: 'Métodos de login pausados',
      lead: 'Eles foram adicionados nos 7 dias anteriores à redefinição da sua senha. Não podem ser usados para fazer login até você decidir se quer mantê-los.',
      names: {
        authenticator: 'App autenticador',
        passkey: (name) => `Chave de acesso “${name}”`,
        recovery_codes: 'Códigos de recuperação',
      },
      added: 'Data de inclusão',
      keep: 'Manter',
      keepNamed: (method) => `Manter: ${method}`,
      remove: 'Remover',
      removeNamed: (method) => `Remover: ${method}`,
    },
    review: {
      title: 'Revise sua conta',
      lead: (day) =>
        `Sua senha foi redefinida (${day}), e a conta foi desconectada de todos os dispositivos. Confira o que ainda tem acesso à sua conta.`,
      methodsTitle: 'Métodos de login em uso',
      noMethods: 'Somente a senha.',
      authenticator: 'App autenticador',
      recoveryCodes: (count) =>
        plural(count, {
          one: `${number(count)} código de recuperação`,
          many: `${number(count)} de códigos de recuperação`,
          other: `${number(count)} códigos de recuperação`,
        }),
      devicesTitle: 'Dispositivos',
      appsTitle: 'Apps conectados',
      noApps: 'Nenhum app conectado.',
      keysTitle: 'Chaves de API que você criou',
      removeTitle: 'Não reconhece alguma coisa?',
      removeLead:
        'Remova todos os métodos de login (exceto a senha), todos os apps conectados e todas as chaves de API que você criou, e desconecte todos os outros dispositivos.',
      removesMethods: 'Você vai fazer login só com a senha até configurar a verificação em duas etapas de novo.',
      remove: 'Remover todos os outros acessos',
      doneTitle: 'Está tudo certo?',
      done: 'Concluir revisão',
    },
    undo: {
      title: 'Não foi você?',
      lead: 'Desfaça esta alteração e desconecte sua conta de todos os dispositivos. Depois, redefina sua senha, porque outra pessoa pode saber qual é.',
      submit: 'Desfazer e desconectar tudo',
      doneTitle: 'Alteração desfeita',
      done: 'Sua conta foi desconectada de todos os dispositivos. Quem fez isso ainda pode saber sua senha. Redefina-a agora.',
      reset: 'Redefinir senha',
    },
  },

  secondFactor: {
    setUpTitle: 'Configure a verificação em duas etapas',
    setUpLead: 'Você precisa da verificação em duas etapas para fazer login aqui.',
    setUpLeadFor: (app) => `Você precisa da verificação em duas etapas para continuar em ${app}.`,
    withApp: 'Usar um app autenticador',
    code: 'Código de 6 dígitos do app',
    password: 'Senha atual',
    passwordHint: 'Para confirmar sua identidade.',
    submit: 'Ativar e continuar',
    wrongCode:
      'O código está incorreto. Os códigos mudam a cada 30 segundos. Confira se o relógio do seu celular está certo.',
    verifyTitle: 'Verificação em duas etapas',
    verifyLead: 'Digite o código do app autenticador ou um código de recuperação.',
    verifyLeadPasskeyOnly: 'Use sua chave de acesso ou digite um código de recuperação.',
    signingInAs: (email) => `Você está fazendo login como ${email}.`,
    signedInAs: (email) => `Você fez login como ${email}.`,
    signOut: 'Sair',
    codesTitle: 'Salve seus códigos de recuperação',
    codesLead: `${eachCode} Salve os códigos agora, porque não será possível vê-los de novo.`,
    codesDone: 'Já salvei meus códigos',
    usedTitle: 'Você usou um código de recuperação',
    usedLeft: (count) =>
      plural(count, {
        one: `Resta ${number(count)}.`,
        many: `Restam ${number(count)}.`,
        other: `Restam ${number(count)}.`,
      }),
    lost: 'Perdeu o celular?',
    remove: 'Remova-o',
    continue: 'Continuar',
  },

  passwordless: {
    create: 'Criar uma chave de acesso',
    lead: 'Faça login com sua impressão digital, seu rosto ou o bloqueio de tela. Não é preciso lembrar de nada.',
    withPassword: 'Usar uma senha',
    failed: 'Não foi possível criar a chave de acesso. Tente novamente.',
    eitherTitle: 'Crie uma chave de acesso ou escolha uma senha',
    notByEmail:
      'Você usa a verificação em duas etapas, por isso um link por e-mail não é suficiente para criar uma chave de acesso. Faça login com sua chave de acesso ou fale com o administrador.',
    createdTitle: 'Chave de acesso criada',
    created:
      'Faça login com sua chave de acesso. Os métodos de login adicionados nos últimos 7 dias ficam pausados até você revisá-los.',
    over: 'As senhas não funcionam mais aqui. Faça login de outra forma ou crie uma chave de acesso com um link por e-mail.',
    byEmail: 'Criar uma chave de acesso por e-mail',
    byEmailLead:
      'Enviaremos por e-mail um link para criar uma chave de acesso. Ele só pode ser usado uma vez e expira em 30 minutos.',
    ask: 'As chaves de acesso estão substituindo as senhas aqui. Com uma delas, você faz login com sua impressão digital, seu rosto ou o bloqueio de tela.',
    askUntil: (day) => `Sua senha funciona até ${day}.`,
    notNow: 'Agora não',
    remove: 'Remover senha',
    removeLead: 'Faça login somente com sua chave de acesso. Você pode definir uma senha novamente quando quiser.',
    removeFor: 'As senhas não são mais usadas aqui. Você fará login com sua chave de acesso.',
    removeNeeds:
      'Para remover sua senha, primeiro adicione uma chave de acesso e salve seus códigos de recuperação ou adicione uma segunda chave de acesso.',
    none: 'Você não tem senha. Você faz login com uma chave de acesso.',
    notUsed: 'As senhas não são usadas aqui.',
    reviewLead: (day) =>
      `Você criou uma chave de acesso para recuperar a conta (${day}), e a conta foi desconectada de todos os dispositivos. Confira o que ainda tem acesso à sua conta.`,
    linkEmail: {
      subject: 'Crie uma chave de acesso',
      text: 'Abra este link para criar uma chave de acesso para sua conta. Ele só pode ser usado uma vez e expira em 30 minutos.',
      action: 'Criar chave de acesso',
    },
    removedEmail: {
      subject: 'Sua senha foi removida',
      text: 'A senha da sua conta foi removida. Agora você faz login com uma chave de acesso, e sua conta foi desconectada dos outros dispositivos.',
    },
    reviewRemoveLead:
      'Remova todos os métodos de login (exceto a nova chave de acesso), todos os apps conectados e todas as chaves de API que você criou, e desconecte todos os outros dispositivos.',
  },

  signOut: {
    title: (service) => `Sair de ${service}?`,
    askedBy: (app) => `${app} pediu para desconectar sua conta.`,
    text: 'Você vai sair da conta neste navegador. Ela pode continuar conectada nos apps que estiverem abertos.',
    confirm: 'Sair',
    stay: 'Não sair',
    noReturn: {
      hint_invalid: notConfirmed,
      client_mismatch: notConfirmed,
      client_missing:
        'Não sabemos qual app abriu esta página. Por isso, não foi possível levar você de volta para ele.',
      unknown_client:
        'O app que abriu esta página não está registrado neste serviço. Por isso, não redirecionamos você de volta.',
      client_revoked:
        'Um administrador desativou o login neste app. Por isso, não redirecionamos você de volta para ele.',
      post_logout_redirect_uri_mismatch:
        'O app pediu para redirecionar você para um URL que não está registrado para ele. Para sua segurança, não fizemos isso.',
    },
    noReturnTodo:
      'Para voltar, abra o app diretamente. Se o problema persistir, fale com o desenvolvedor do app e informe a referência abaixo.',
  },

  upstreams: {
    continueWith: (label) => `Continuar com ${label}`,
    leavingTitle: (label) => `Continuar para ${label}`,
    leavingText: (label) => `Você está sendo redirecionado para ${label}.`,
    failedTitle: (label) => `Não foi possível fazer login com ${label}`,
    problems: {
      expired: () => 'Este login expirou ou foi iniciado em outro navegador. Comece de novo.',
      canceled: (label) => `O login com ${label} foi cancelado.`,
      unavailable: (label) => `No momento, não é possível fazer login com ${label}. Faça login de outra forma.`,
      unreachable: (label) => `${label} não respondeu. Tente novamente em alguns minutos ou faça login de outra forma.`,
      invalid: (label) =>
        `${label} enviou uma resposta que não pode ser aceita. Tente novamente. Se o problema persistir, fale com o administrador.`,
      notFresh: (label) =>
        `${label} não pediu que você fizesse login de novo, então isso não confirma que é você. Tente novamente.`,
      identityTaken: (label) => `Esta conta de ${label} está vinculada a outra conta aqui.`,
      otherPerson: (label) => `Esta conta de ${label} não é a que está vinculada à sua conta.`,
      refused: (label) => `Você não pode fazer login aqui com esta conta de ${label}.`,
    },
    linkTitle: 'Você já tem uma conta',
    linkText: (email, label) =>
      `Já existe uma conta para ${email}. Primeiro, faça login nela de outra forma e depois vincule ${label} na página de segurança.`,
    noAccountTitle: 'Nenhuma conta encontrada',
    noAccountText: (label) =>
      `Esta conta de ${label} não está vinculada a nenhuma conta aqui. Faça login de outra forma e depois vincule-a na página de segurança da sua conta.`,
    otherWay: 'Fazer login de outra forma',
    tryAgain: (label) => `Tentar novamente com ${label}`,
  },

  chooseAccount: {
    title: 'Escolha uma conta',
    continueTo: (app) => `para continuar em ${app}`,
    continue: 'Continuar com esta conta',
    other: 'Usar outra conta',
  },

  noAccess: {
    title: (app) => `Você não tem acesso a ${app}`,
    signedInAs: 'Você fez login como',
    text: 'Esta conta não está entre as que podem usar o app. Peça acesso ao administrador ou use outra conta.',
    other: 'Usar outra conta',
    back: (app) => `Voltar para ${app}`,
  },

  consent: {
    title: (app) => `Fazer login em ${app}`,
    lead: (app) => `${app} vai receber:`,
    changed: (app) => `Os dados que ${app} solicita mudaram. Revise-os antes de continuar.`,
    signedInAs: 'Você fez login como',
    notYou: 'Não é você?',
    returnTo: (host) => `Vamos redirecionar você para ${host}.`,
    approve: 'Permitir',
    cancel: 'Cancelar',
    later: 'Você pode remover o acesso quando quiser em Apps conectados.',
    noPassword: (app) => `${app} nunca vê sua senha.`,
  },

  scopes: {
    openid: { heading: 'Sua identidade', phrase: 'sua identidade' },
    profile: { heading: 'Seu perfil', phrase: 'seu perfil' },
    email: { heading: 'Seu e-mail', phrase: 'seu e-mail' },
  },
  identityHint: 'Um ID exclusivo para o app reconhecer você quando você voltar',
  accountId: 'ID da conta',
  profileChanged: 'Última atualização',
  emailUnverified: 'não verificado',
  claims: {
    name: 'Nome completo',
    given_name: 'Nome',
    family_name: 'Sobrenome',
    preferred_username: 'Nome de usuário',
    picture: 'Foto',
    locale: 'Idioma',
  },
  furtherClaims: {
    enteredByYou: 'informado por você',
    notSet: 'Não definido',
    none: 'Nenhum',
    yes: 'Sim',
    no: 'Não',
    more: (count) =>
      plural(count, {
        one: `e mais ${number(count)}`,
        many: `e mais ${number(count)}`,
        other: `e mais ${number(count)}`,
      }),
    less: 'Mostrar menos',
  },

  apps: {
    lead: 'Você pode fazer login nestes apps com esta conta.',
    none: 'Nenhum app conectado.',
    noneHint: (service) => `Os apps em que você fizer login com ${service} vão aparecer aqui.`,
    sees: 'Pode ver',
    since: 'Acesso desde',
    lastUsed: 'Último uso',
    remove: 'Remover acesso',
    removeNamed: (app) => `Remover acesso do app ${app}`,
    removed: 'Acesso removido.',
    notConnected: 'Esse app já estava desconectado.',
    removeHint: 'Depois que você remover o acesso, sua permissão será pedida no próximo login no app.',
  },

  yourApps: {
    none: 'Nenhum app ainda',
    noneHint: 'Os apps que você pode abrir daqui aparecem nesta página.',
    more: 'Mostrar mais',
    search: 'Buscar apps',
    find: 'Buscar',
    notFound: 'Nenhum app encontrado',
    all: 'Mostrar todos os apps',
    profileHint: 'Seu nome, sua foto e seu e-mail',
    securityHint: 'Sua senha, suas chaves de acesso e a verificação em duas etapas',
  },

  signedOut: {
    elsewhere:
      'Talvez sua conta ainda esteja aberta no serviço que você usou para fazer login. Se você compartilha este dispositivo, saia da conta lá também.',
    title: 'Você saiu da conta',
    text: (service) =>
      `Sua conta em ${service} não está mais conectada neste navegador. Ela pode continuar conectada nos apps que estiverem abertos.`,
    again: 'Fazer login de novo',
  },

  inactivity: {
    disabled: 'Conta desativada por falta de uso',
    email: {
      subject: 'Sua conta será desativada em breve',
      text: (at) =>
        `Faz tempo que você não usa sua conta. Se você não fizer login nem usar um aplicativo até ${at}, ela será desativada.`,
      action: 'Fazer login e manter a conta',
    },
  },

  accessRequests: {
    text: 'Esta conta não está entre as que podem usar o app. Você pode solicitar acesso ou usar outra conta.',
    note: 'Motivo (opcional)',
    noteHint: (most) => `No máximo ${most} caracteres. As pessoas que decidem sobre a solicitação poderão ler.`,
    noteProblem: (most) => `Use no máximo ${most} caracteres de texto simples.`,
    ask: 'Solicitar acesso',
    asked: (day) => `Você solicitou acesso em ${day}. Sua solicitação ainda não foi analisada.`,
    told: 'Enviaremos um e-mail quando houver uma decisão.',
    declined: 'Sua solicitação foi recusada. Você pode solicitar novamente depois de um dia.',
    tooMany: 'Você enviou solicitações demais hoje. Tente novamente amanhã.',
    emails: {
      waiting: {
        subject: 'Solicitações de acesso',
        text: 'Estas pessoas estão solicitando acesso:',
        action: 'Analisar solicitações',
      },
      allowed: {
        subject: (app) => `Você tem acesso a ${app}`,
        text: (app) => `Sua solicitação foi aprovada. Você já pode usar ${app}.`,
        action: (app) => `Abrir ${app}`,
      },
      declined: {
        subject: 'Sua solicitação de acesso foi recusada',
        text: (app) => `Sua solicitação de acesso a ${app} foi recusada.`,
        reason: 'Motivo informado:',
      },
    },
  },

  ends: {
    title: 'Fim do acesso',
    own: (at) => `Seu acesso termina em ${at}.`,
    line: (what, at) => `${what}: ${at}`,
    email: {
      subject: 'Seu acesso termina em breve',
      text: 'Este acesso termina em breve. Se você ainda precisa dele, fale com o administrador.',
      account: 'Sua conta',
      membership: (name) => `Participação no grupo “${name}”`,
      application: (name) => `Acesso a “${name}”`,
      action: 'Ir para a sua conta',
    },
    list: {
      subject: 'Acessos que terminam em breve',
      text: 'Estes acessos terminam nos próximos 7 dias. Para prorrogá-los, defina uma nova data.',
      account: (person) => `${person}, conta`,
      membership: (person, group) => `${person}, grupo “${group}”`,
      application: (person, app) => `${person}, aplicativo “${app}”`,
      groupApplication: (group, app) => `Grupo “${group}”, aplicativo “${app}”`,
      more: (count) =>
        plural(count, {
          one: `E mais ${number(count)}.`,
          many: `E mais ${number(count)}.`,
          other: `E mais ${number(count)}.`,
        }),
      action: 'Ver quais acessos terminam em breve',
    },
  },

  reviews: {
    due: {
      subject: (name) => `Revisão com prazo próximo: ${name}`,
      text: (name, at) =>
        `O prazo da revisão de acessos “${name}” termina em ${at}. Decida quem mantém o acesso aos seus aplicativos.`,
      left: (count) =>
        plural(count, {
          one: `Falta ${number(count)} decisão.`,
          many: `Faltam ${number(count)} de decisões.`,
          other: `Faltam ${number(count)} decisões.`,
        }),
      action: 'Abrir a revisão',
    },
  },
  directories: {
    refused: {
      subject: 'Um diretório tentou alterar alguém com função de administração',
      text: 'Um diretório tentou alterar usuários que têm uma função de administração. Somente administradores podem alterá-los, portanto nada foi alterado. Número de solicitações:',
      after:
        'Se alguém saiu, desative a conta dessa pessoa. Se você não esperava por isso, revogue o token SCIM do diretório.',
      action: 'Ver eventos',
    },
  },

  errors: {
    reference: 'Referência',
    home: 'Ir para a sua conta',
    unknownClient: {
      title: 'Este link de login não é válido',
      text: 'O app que abriu esta página não está registrado neste serviço. Nada foi compartilhado com ele.',
      todo: 'Volte para o app e tente novamente. Se o problema persistir, fale com o desenvolvedor do app e informe a referência abaixo.',
    },
    redirectUri: {
      title: 'Este link de login não é válido',
      text: 'O app pediu para redirecionar você para um URL que não está registrado para ele. Para sua segurança, não fizemos isso. Nada foi compartilhado.',
      todo: 'Volte para o app e tente novamente. Se o problema persistir, fale com o desenvolvedor do app e informe a referência abaixo. Com ela, um administrador pode consultar os dois URLs.',
    },
    clientRevoked: {
      title: 'Este app não está mais disponível',
      text: 'Um administrador desativou o login neste app. Sua conta não foi afetada.',
      todo: 'Fale com o desenvolvedor do app ou com o administrador.',
    },
    tooManyApprovals: {
      title: 'Muitos logins',
      text: 'Você fez login em apps muitas vezes seguidas. Nada foi compartilhado.',
      todo: 'Aguarde alguns segundos, volte para o app e tente novamente. Se o problema persistir, fale com o desenvolvedor do app.',
    },
    tooManyDownloads: {
      title: 'Muitos downloads',
      text: 'Outro download dos seus dados ainda está em andamento ou há muitas pessoas baixando os delas neste momento.',
      todo: 'Aguarde um minuto e tente novamente.',
    },
    formExpired: {
      title: 'Esta página expirou',
      text: 'Você a abriu em outro navegador ou antes de fazer login ou sair, ou seu navegador bloqueia cookies. Nada foi alterado.',
      todo: 'Volte e comece de novo. Se o problema persistir, permita cookies neste site.',
    },
    foreignForm: {
      title: 'Esta solicitação veio de outro site',
      text: 'Outro site tentou enviar este formulário por você. Nada foi alterado.',
      todo: (baseUrl) => `Se foi você, abra ${baseUrl} e tente novamente por lá.`,
    },
    notAdministrator: {
      title: 'É preciso ter acesso de administrador',
      text: 'Sua conta não tem permissão para ver esta página.',
      todo: 'Peça acesso a um administrador ou faça login com outra conta.',
    },
    otherAccount: {
      title: 'Este link é de outra conta',
      text: 'A conta conectada não é a que solicitou esta alteração. Nada foi alterado.',
      todo: 'Saia, faça login na outra conta e abra o link de novo.',
    },
    badRequest: {
      title: 'Não foi possível ler a solicitação',
      text: 'O formato da solicitação está incorreto. Nada foi alterado.',
      todo: 'Volte e tente novamente.',
    },
    notFound: {
      title: 'Página não encontrada',
      text: 'Talvez o link tenha um erro de digitação ou a página não exista mais.',
      todo: 'Confira o URL ou vá para a sua conta.',
    },
    methodNotAllowed: {
      title: 'Isso não funciona aqui',
      text: 'Este URL não aceita esse tipo de solicitação.',
      todo: 'Volte e tente novamente.',
    },
    tooLarge: {
      title: 'Tamanho acima do limite',
      text: 'A solicitação é maior do que este serviço aceita. Nada foi alterado.',
      todo: 'Volte e tente novamente. Se um app abriu esta página, fale com o desenvolvedor dele.',
    },
    busy: {
      title: 'O serviço está sobrecarregado',
      text: 'Não é possível responder no momento. Nada foi alterado.',
      todo: 'Aguarde alguns segundos e recarregue esta página.',
    },
    outcomeUnknown: {
      title: 'Não sabemos se funcionou',
      text: 'Perdemos a conexão com nosso banco de dados ao salvar. Sua alteração pode ter sido salva.',
      todo: 'Aguarde alguns segundos e confira antes de tentar novamente.',
    },
    fault: {
      title: 'Algo deu errado',
      text: 'O problema é nosso. O erro foi registrado.',
      todo: 'Tente novamente. Se o problema persistir, fale com o administrador e informe a referência abaixo.',
    },
  },
};
