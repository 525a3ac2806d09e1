// Spanish, with "tú", in words that are at home in Spain and in Latin America.

import type { Catalogue } from './en.ts';
import { wording } from './wording.ts';

const { plural, number } = wording<'one' | 'many' | 'other'>('es');

const waitingTime = (minutes: number) => {
  if (minutes <= 90) {
    const n = number(minutes);
    return plural(minutes, { one: 'un minuto', many: `${n} de minutos`, other: `${n} minutos` });
  }
  const hours = Math.ceil(minutes / 60);
  if (hours <= 48) {
    const n = number(hours);
    return plural(hours, { one: 'una hora', many: `${n} de horas`, other: `${n} horas` });
  }
  const days = Math.ceil(hours / 24);
  const n = number(days);
  return plural(days, { one: 'un día', many: `${n} de días`, other: `${n} días` });
};

const eachCode = 'Cada uno te permite iniciar sesión una vez si no tienes tu dispositivo.';

const notConfirmed =
  'No pudimos confirmar qué aplicación te trajo hasta aquí, así que no te llevamos de vuelta a ella.';

export const es: Catalogue = {
  skipToContent: 'Ir al contenido',
  dismiss: 'Cerrar',
  title: (page, service) => `${page} · ${service}`,
  languagePicker: 'Idioma',
  links: { support: 'Ayuda', terms: 'Condiciones del servicio', privacy: 'Política de privacidad' },

  signIn: {
    title: 'Iniciar sesión',
    continueTo: (app) => `para continuar en ${app}`,
    toAccount: 'en tu cuenta',
    email: 'Correo electrónico',
    password: 'Contraseña',
    submit: 'Iniciar sesión',
    failed: 'El correo electrónico o la contraseña no son correctos.',
    throttled: (minutes) => `Demasiados intentos fallidos. Vuelve a intentarlo dentro de ${waitingTime(minutes)}.`,
    incomplete: 'Escribe tu correo electrónico y tu contraseña.',
    forgotten: '¿Olvidaste tu contraseña?',
    create: 'Crear una cuenta',
    passkey: 'Iniciar sesión con llave de acceso',
    passkeyFailed: 'La llave de acceso no funcionó. Vuelve a intentarlo o usa tu contraseña.',
    keep: 'Mantener la sesión iniciada',
  },

  emailCodes: {
    send: 'Enviarme un código por correo',
    title: 'Revisa tu correo',
    lead: (email) =>
      `Enviamos un correo a ${email}. Escribe el código que contiene. Sirve una sola vez, en este navegador y durante 10 minutos.`,
    code: 'Código',
    again: 'Enviar un código nuevo',
    usePassword: 'Usar tu contraseña',
    wrong: 'El código no es correcto o ha caducado.',
    spent: 'Demasiados códigos incorrectos. Pide uno nuevo.',
    recoveryTitle: 'Habla con tu administrador',
    recovery:
      'Tu correo electrónico nunca se había verificado y esta cuenta tiene activada la verificación en dos pasos, así que puede que la haya configurado otra persona. Pídele a tu administrador que quite la verificación en dos pasos y te dé un enlace de recuperación.',
    proofLead: (email) => `Enviaremos un código a ${email}. No te lo pediremos de nuevo durante 15 minutos.`,
    reviewLead: (day) =>
      `Tu correo electrónico se verificó el ${day}. Lo que se había configurado antes, como una contraseña, se eliminó, porque pudo hacerlo otra persona. Revisa qué sigue teniendo acceso a tu cuenta.`,
    reviewMethods: 'Solo códigos por correo.',
    email: {
      subjects: { sign_in: 'Tu código para iniciar sesión', proof: 'Tu código de confirmación' },
      texts: {
        sign_in:
          'Escribe este código para iniciar sesión. Sirve una sola vez, en el navegador donde se pidió, y caduca en 10 minutos.',
        proof:
          'Escribe este código para confirmar tu identidad. Sirve una sola vez, en el navegador donde se pidió, y caduca en 10 minutos.',
      },
      asked: (device, ipAddress) => `Solicitado desde: ${device}, dirección IP ${ipAddress}.`,
      warning: 'Si no fuiste tú, puedes ignorar este correo. No compartas el código con nadie.',
    },
    notForYou: {
      subject: 'Inicia sesión con tu contraseña o una llave de acceso',
      text: 'Alguien, probablemente tú, pidió un código para iniciar sesión. Tu cuenta usa la verificación en dos pasos, así que necesitas tu contraseña o una llave de acceso.',
    },
    noAccount:
      'Alguien, probablemente tú, pidió un código para iniciar sesión con este correo electrónico, pero no hay ninguna cuenta que lo use. Puede que hayas creado la tuya con otro correo.',
  },

  account: {
    email: 'Correo electrónico',
    password: 'Contraseña',
    newPassword: 'Nueva contraseña',
    newPasswordHint: 'Al menos 8 caracteres. Prueba con varias palabras que no tengan relación entre sí.',
    name: 'Nombre completo',
    nav: 'Tu cuenta',
    signOut: 'Cerrar sesión',
    signedInAs: 'Sesión iniciada como',
    menu: 'Menú',
    reveal: {
      show: 'Mostrar',
      hide: 'Ocultar',
      showPassword: 'Mostrar contraseña',
      hidePassword: 'Ocultar contraseña',
    },
    file: { choose: 'Elegir archivo', none: 'Ningún archivo elegido' },
    throttled: (minutes) => `Demasiados intentos. Vuelve a intentarlo dentro de ${waitingTime(minutes)}.`,
    invalidName: 'Escribe un nombre de hasta 100 caracteres, con al menos uno visible.',
    invalidEmail: 'Escribe un correo electrónico válido.',
    managed: 'Tu organización gestiona esto.',
    noEmail:
      'Esta función no está disponible porque el servicio aún no puede enviar correos. Ponte en contacto con tu administrador.',
    passwordProblems: {
      too_short: 'Usa al menos 8 caracteres.',
      too_long: 'Usa 256 caracteres como máximo.',
      not_text: 'La contraseña contiene caracteres que no se pueden usar.',
      common: 'Esa contraseña es demasiado común. Elige otra.',
      personal: 'La contraseña no puede ser tu nombre ni tu correo electrónico. Elige otra.',
      breached:
        'Esa contraseña apareció en una filtración de datos y es posible que otros la conozcan. Elige una que no uses en ningún otro sitio.',
      not_allowed: 'Aquí no se pueden usar contraseñas. Crea una llave de acceso.',
    },
    sections: {
      home: 'Tus aplicaciones',
      profile: 'Perfil',
      security: 'Seguridad',
      sessions: 'Dispositivos',
      apps: 'Aplicaciones conectadas',
      activity: 'Actividad',
      data: 'Tus datos',
    },
    console: 'Consola de administración',
    notices: {
      welcome: '¡Te damos la bienvenida! Tu cuenta está lista.',
      profile: 'Perfil guardado.',
      picture: 'Foto actualizada.',
      password: 'Contraseña cambiada. Se cerró la sesión en tus otros dispositivos.',
      authenticator: 'Aplicación de autenticación eliminada.',
      'authenticator-added': 'Aplicación de autenticación agregada.',
      passkey: 'Llave de acceso eliminada.',
      'password-removed': 'Contraseña eliminada. Se cerró tu sesión en los demás dispositivos.',
      'password-set': 'Contraseña establecida. Se cerró tu sesión en los demás dispositivos.',
      'identity-linked': 'Cuenta vinculada.',
      'identity-unlinked': 'Cuenta desvinculada.',
      'passkey-added': 'Llave de acceso agregada.',
      session: 'Se cerró la sesión en el dispositivo.',
      sessions: 'Se cerró la sesión en los demás dispositivos.',
      proof: 'Identidad confirmada.',
      untrusted: 'El dispositivo ya no es de confianza.',
      'method-kept': 'Método de inicio de sesión conservado.',
      'method-removed': 'Método de inicio de sesión eliminado.',
      'not-possible': 'No se pudo completar la acción. Es posible que algo haya cambiado en otra ventana.',
    },

    signUp: {
      title: 'Crear una cuenta',
      toContinue: (app) => `para continuar en ${app}`,
      lead: 'Te enviaremos un correo con un enlace para terminar de crear tu cuenta.',
      submit: 'Enviar enlace',
      haveOne: '¿Ya tienes una cuenta?',
      closed: 'En este servicio, las cuentas las crea un administrador. Pídele una al tuyo.',
      finishTitle: 'Termina de crear tu cuenta',
      finishLead: (email) => `Iniciarás sesión como ${email}.`,
      inviteTitle: 'Recibiste una invitación',
      setUpTitle: 'Configurar este servicio',
      setUpLead: 'Crea la primera cuenta de administrador.',
      emailTaken: 'Ya existe una cuenta con este correo electrónico.',
      nameHint: 'El nombre que verán las aplicaciones.',
      finish: 'Crear cuenta',
    },
    emailSent: {
      title: 'Revisa tu correo',
      text: (email) => `Enviamos un correo a ${email}. Abre el enlace que contiene para continuar.`,
      hint: '¿Sigues sin recibirlo después de unos minutos? Revisa la carpeta de spam o vuelve a intentarlo.',
      again: 'Enviar de nuevo',
      other: 'Usar otro correo electrónico',
      outbox: 'Este servicio está en modo de desarrollo: el correo está en su bandeja de salida.',
    },
    resetPassword: {
      title: 'Restablecer la contraseña',
      lead: 'Te enviaremos un correo con un enlace para elegir una nueva contraseña. El enlace solo se puede usar una vez y expira en 30 minutos.',
      submit: 'Enviar enlace',
      back: 'Volver al inicio de sesión',
      finishTitle: 'Elige una nueva contraseña',
      finishLead: 'Se cerrará la sesión en todos los dispositivos.',
      finish: 'Guardar contraseña',
      doneTitle: 'Contraseña cambiada',
      done: 'Inicia sesión con tu nueva contraseña. Los métodos de inicio de sesión agregados en los últimos 7 días están en pausa hasta que los revises.',
      signIn: 'Iniciar sesión',
    },
    linkExpired: {
      title: 'Este enlace expiró',
      text: 'Puede que ya se haya usado o que haya otro más reciente. No se cambió nada.',
      again: 'Obtener otro enlace',
      askAdministrator: 'Pídele otro a tu administrador.',
    },

    secondStep: {
      title: 'Verificación en dos pasos',
      lead: 'Escribe el código de tu aplicación de autenticación o un código de recuperación.',
      leadPasskeyOnly: 'Usa tu llave de acceso o escribe un código de recuperación.',
      code: 'Código',
      submit: 'Continuar',
      passkey: 'Usar una llave de acceso',
      failed: 'El código no es correcto o ya se usó.',
      passkeyFailed: 'La llave de acceso no funcionó. Vuelve a intentarlo o escribe un código.',
      tooManyCodes: (minutes) =>
        `Demasiados códigos incorrectos. Usa un código de recuperación o una llave de acceso, o vuelve a intentarlo dentro de ${waitingTime(minutes)}.`,
      trust: 'No pedir el código en este dispositivo durante 30 días',
      lost: '¿Perdiste tu dispositivo y tus códigos de recuperación? Ponte en contacto con tu administrador.',
      other: 'Usar otra cuenta',
    },

    proof: {
      leadElsewhere: 'Vuelve a iniciar sesión para continuar. No te lo pediremos de nuevo durante 15 minutos.',
      noWay:
        'Ahora mismo no podemos confirmar que eres tú: no tienes contraseña y la cuenta con la que inicias sesión no está disponible. Primero, establece una contraseña por correo electrónico.',
      byEmail: 'Establecer una contraseña por correo',
      confirmedTitle: 'Identidad confirmada',
      confirmed: 'Ya puedes continuar con el cambio.',
      goOn: 'Continuar',
      title: 'Confirma tu identidad',
      lead: 'Escribe tu contraseña para continuar. No te la volveremos a pedir durante 15 minutos.',
      leadWithCode: 'Usa la verificación en dos pasos para continuar. No te la volveremos a pedir durante 15 minutos.',
      password: 'Contraseña',
      submit: 'Confirmar',
      enterCode: 'Escribe tu código.',
      wrongPassword: 'La contraseña no es correcta.',
      cancel: 'Cancelar',
    },

    profile: {
      pictureElsewhere: (host) => `Tu foto procede de ${host}. Aquí no se muestra.`,
      lead: 'Lo que ven las aplicaciones cuando compartes tu perfil con ellas.',
      givenName: 'Nombre',
      familyName: 'Apellidos',
      username: 'Nombre de usuario',
      usernameHint:
        'Opcional. De 3 a 30 caracteres; el primero debe ser una letra. Las aplicaciones que ven tu perfil pueden mostrar este nombre.',
      usernameTaken: 'Ese nombre de usuario ya está en uso.',
      usernameProblems: {
        too_short: 'Usa al menos 3 caracteres.',
        too_long: 'Usa 30 caracteres como máximo.',
        invalid_start: 'El nombre de usuario debe empezar con una letra.',
        invalid_characters: 'Usa solo letras de la a a la z, números, puntos, guiones y guiones bajos.',
      },
      locale: 'Idioma',
      noLocale: 'Sin especificar',
      save: 'Guardar perfil',
      invalidLocale: 'Elige un idioma de la lista.',
      picture: 'Foto',
      pictureHint: 'PNG, JPEG o WebP, de hasta 512 KB. Se eliminan los datos de ubicación.',
      upload: 'Subir foto',
      removePicture: 'Eliminar foto',
      pictureProblems: {
        not_a_picture: 'El archivo no es una imagen PNG, JPEG o WebP, o está dañado.',
        too_large: 'La foto supera los 512 KB.',
        too_many_pixels: 'La foto tiene demasiados píxeles.',
        none: 'Primero elige un archivo.',
      },
      address: 'Correo electrónico',
      verified: 'verificado',
      unverified: 'sin verificar',
      verify: 'Verificar correo electrónico',
      changeAddress: 'Cambiar correo electrónico',
    },
    attributes: {
      none: 'Sin definir',
      yes: 'Sí',
      no: 'No',
      list: 'Separa los elementos con comas.',
      listOf: (values) => `Separa los elementos con comas. Permitidos: ${values}.`,
      problems: {
        wrong_kind: 'Introduce un número, por ejemplo 12.5.',
        not_allowed: 'Usa solo los valores permitidos.',
        too_long: 'Ese valor es demasiado largo.',
        characters: 'Ese valor tiene caracteres no permitidos.',
      },
    },
    changeEmail: {
      title: 'Cambiar el correo electrónico',
      lead: (email) =>
        `Tu correo electrónico es ${email}. No cambiará hasta que abras el enlace que enviaremos al nuevo.`,
      newAddress: 'Nuevo correo electrónico',
      submit: 'Enviar enlace',
      same: 'Ese ya es tu correo electrónico.',
      confirmTitle: 'Confirma tu nuevo correo electrónico',
      confirmLead: (email, current) => `Tu correo electrónico cambiará de ${current} a ${email}.`,
      confirm: 'Confirmar correo electrónico',
      changedTitle: 'Correo electrónico cambiado',
      confirmed: (email) => `Tu correo electrónico ahora es ${email}. Úsalo para iniciar sesión.`,
      verifyLead: (email) => `Confirma que ${email} es tu correo electrónico.`,
      verifiedTitle: 'Correo electrónico verificado',
      verified: (email) => `${email} está verificado.`,
      toAccount: 'Ir a tu cuenta',
      back: 'Volver al perfil',
    },
    security: {
      noPassword:
        'No tienes contraseña. Con una, podrás iniciar sesión aunque pierdas el acceso a una cuenta vinculada.',
      setPassword: 'Establecer una contraseña',
      authenticatorOffAlone:
        'Protege tu cuenta con un código de una aplicación en tu teléfono cada vez que inicies sesión.',
      proof: 'Código de tu aplicación de autenticación o código de recuperación',
      proofByRecoveryCode: 'Código de recuperación',
      passwordTitle: 'Contraseña',
      changePassword: 'Cambiar contraseña',
      breached:
        'Tu contraseña apareció en una filtración de datos de otro servicio y es posible que otros la conozcan. Cámbiala pronto, aquí y en cualquier otro sitio donde la uses.',
      authenticatorTitle: 'Aplicación de autenticación',
      authenticatorOff:
        'Además de la contraseña, protege tu cuenta con un código generado por una aplicación de tu teléfono.',
      on: 'Activada',
      authenticatorOn: 'Te pediremos un código de la aplicación cuando inicies sesión.',
      setUp: 'Configurar aplicación',
      remove: 'Eliminar',
      removeNamed: (name) => `Eliminar la llave de acceso “${name}”`,
      removeApp: 'Eliminar aplicación de autenticación',
      codesTitle: 'Códigos de recuperación',
      noCodesLeft: 'No te quedan códigos de recuperación. Crea otros nuevos.',
      codesLeft: (count) =>
        plural(count, {
          one: 'Te queda 1 código de recuperación. Te permite iniciar sesión una vez si no tienes tu dispositivo.',
          many: `Te quedan ${number(count)} de códigos de recuperación. ${eachCode}`,
          other: `Te quedan ${number(count)} códigos de recuperación. ${eachCode}`,
        }),
      newCodes: 'Crear códigos nuevos',
      passkeysTitle: 'Llaves de acceso',
      passkeysLead: 'Inicia sesión sin contraseña, con tu huella digital, tu rostro o el bloqueo de pantalla.',
      passkeyName: 'Nombre de la llave de acceso',
      passkeyNameHint: 'Por ejemplo, “Mi teléfono”.',
      addPasskey: 'Agregar una llave de acceso',
      needsScript: 'Las llaves de acceso necesitan JavaScript y un navegador compatible.',
      added: 'Fecha de creación',
      lastUsed: 'Último uso',
      never: 'Nunca',
      passkeyFailed: 'No se pudo agregar la llave de acceso. Vuelve a intentarlo.',
      tooManyPasskeys: 'Llegaste al límite de 20 llaves de acceso. Elimina una para agregar otra.',
      lastWay:
        'Es tu única forma de iniciar sesión. Establece una contraseña o agrega otra llave de acceso antes de eliminarla.',
      confirmedForPasskey: 'Identidad confirmada. Ya puedes agregar la llave de acceso.',
    },
    identities: {
      title: 'Cuentas vinculadas',
      lead: 'Cuentas de otros servicios con las que puedes iniciar sesión.',
      linked: 'Vinculada',
      noEmail: 'Sin correo electrónico compartido',
      disabled: 'No disponible',
      link: (label) => `Vincular ${label}`,
      tooMany: 'Llegaste al límite de 10 cuentas vinculadas. Desvincula una para vincular otra.',
      unlink: 'Desvincular',
      unlinkNamed: (label) => `Desvincular ${label}`,
      lastWay:
        'Es tu única forma de iniciar sesión. Establece una contraseña o agrega una llave de acceso antes de desvincularla.',
    },
    authenticator: {
      title: 'Configurar una aplicación de autenticación',
      scan: 'Escanea este código QR con tu aplicación de autenticación.',
      alt: 'Código QR con la clave de configuración para tu aplicación de autenticación',
      orType: 'O escribe esta clave de configuración en la aplicación:',
      open: 'Abrir en la aplicación de autenticación',
      copy: 'Copiar clave',
      code: 'Código de 6 dígitos de la aplicación',
      submit: 'Activar',
      wrongCode:
        'El código no es correcto. Los códigos cambian cada 30 segundos; comprueba que la hora de tu teléfono sea correcta.',
      already: 'Ya configuraste una aplicación de autenticación. Elimínala primero.',
      back: 'Volver a Seguridad',
    },
    codes: {
      title: 'Guarda tus códigos de recuperación',
      lead: `${eachCode} Guárdalos ahora: no podrás volver a verlos.`,
      done: 'Ya guardé mis códigos',
      copy: 'Copiar códigos',
      copied: 'Copiado',
      download: 'Descargar códigos',
      print: 'Imprimir códigos',
      file: (service, email) => `Códigos de recuperación de ${email} en ${service}`,
    },
    sessions: {
      lead: 'Dispositivos en los que tienes la sesión iniciada.',
      current: 'Este dispositivo',
      since: 'Inicio de sesión',
      lastSeen: 'Última actividad',
      from: 'Dirección IP',
      end: 'Cerrar sesión',
      endNamed: (device) => `Cerrar sesión en ${device}`,
      endOthers: 'Cerrar las demás sesiones',
      onlyThis: 'No tienes la sesión iniciada en ningún otro dispositivo.',
      trusted: 'Dispositivos de confianza',
      trustedLead: 'En estos dispositivos no te pediremos un código cuando inicies sesión con tu contraseña.',
      trustedUntil: 'Hasta el',
      lastSignIn: 'Último uso',
      untrust: 'Quitar de la lista',
      untrustNamed: (device) => `Quitar de la lista: ${device}`,
    },
    activity: {
      lead: 'Actividad reciente de tu cuenta. Si no reconoces algo, cambia tu contraseña.',
      none: 'Aún no hay actividad.',
      byAdministrator: 'Por un administrador',
      older: 'Actividad anterior',
      someApp: 'una aplicación',
    },
    data: {
      downloadTitle: 'Descargar tus datos',
      downloadLead: 'Todo lo que guardamos sobre ti, en un archivo JSON.',
      download: 'Descargar datos',
      deleteTitle: 'Eliminar tu cuenta',
      deleteLead: 'Las aplicaciones pierden el acceso de inmediato. Esta acción no se puede deshacer.',
      deleteQuestion: (email) => `¿Eliminar la cuenta ${email}?`,
      deleteText:
        'Tu perfil, tus métodos de inicio de sesión y tus aplicaciones conectadas se eliminarán definitivamente, y se cerrará tu sesión en todos los dispositivos.',
      delete: 'Eliminar cuenta',
      lastAdministrator: 'No queda ningún otro administrador. Primero dale acceso de administrador a otra persona.',
      deletedTitle: 'Cuenta eliminada',
      deleted:
        'Solo conservamos constancia de que la cuenta existió. Puede que las aplicaciones hayan guardado lo que compartiste con ellas.',
    },
    ownEvents: {
      signed_in: 'Inicio de sesión',
      sign_in_failed: 'Inicio de sesión fallido',
      second_step_asked: 'Contraseña correcta, a la espera de la verificación en dos pasos',
      session_raised: 'Identidad confirmada con la verificación en dos pasos',
      signed_out: 'Cierre de sesión',
      approved: (app) => `Acceso concedido a ${app}`,
      let_in: (app) => `Inicio de sesión en ${app}`,
      approvals_throttled: (app) => `Demasiados inicios de sesión en ${app}; en pausa por un momento`,
      authorization_denied: (app) => `Acceso denegado a ${app}`,
      app_removed: (app) => `Acceso retirado a ${app}`,
      signed_up: 'Cuenta creada',
      user_created: 'Cuenta creada por un administrador',
      user_password_set: 'Contraseña cambiada por un administrador',
      user_disabled: 'Cuenta inhabilitada por un administrador',
      user_expired: 'El acceso a la cuenta finalizó en su fecha',
      user_enabled: 'Cuenta habilitada por un administrador',
      user_approved: 'Cuenta aprobada por un administrador',
      user_made_administrator: 'Acceso de administrador concedido',
      user_administrator_removed: 'Acceso de administrador retirado',
      user_roles_changed: 'Roles cambiados por un administrador',
      user_reset_sent: 'Enlace para restablecer la contraseña enviado por un administrador',
      user_recovery_link_made: 'Enlace de recuperación creado por un administrador',
      first_administrator_created: 'Primera cuenta de administrador creada',
      email_code_requested: 'Código de inicio de sesión solicitado',
      email_verified_by_code: 'Correo electrónico verificado con un código',
      account_claimed: 'Cuenta restablecida para su titular',
      password_reset_requested: 'Solicitud para restablecer la contraseña',
      password_reset: 'Contraseña restablecida por correo',
      password_changed: 'Contraseña cambiada',
      password_removed: 'Contraseña eliminada',
      password_found_in_breach: 'Contraseña encontrada en una filtración de datos',
      profile_changed: 'Perfil actualizado',
      picture_changed: 'Foto actualizada',
      email_change_requested: 'Solicitud para cambiar el correo electrónico',
      email_changed: 'Correo electrónico cambiado',
      sessions_ended: 'Sesión cerrada en los demás dispositivos',
      device_trusted: 'Dispositivo de confianza agregado',
      device_trust_ended: 'Dispositivo de confianza retirado',
      authenticator_added: 'Aplicación de autenticación agregada',
      authenticator_removed: 'Aplicación de autenticación eliminada',
      recovery_codes_replaced: 'Códigos de recuperación creados',
      recovery_codes_removed: 'Códigos de recuperación eliminados',
      recovery_code_used: 'Código de recuperación usado',
      passkey_added: (name) => `Llave de acceso “${name}” agregada`,
      passkey_removed: 'Llave de acceso eliminada',
      second_factors_removed: 'Verificación en dos pasos eliminada por un administrador',
      identity_linked: (name) => `Inicio de sesión con ${name} vinculado`,
      identity_unlinked: (name) => `Inicio de sesión con ${name} desvinculado`,
      factor_undone: 'Nuevo método de inicio de sesión anulado y sesión cerrada en todos los dispositivos',
      factor_kept: 'Método de inicio de sesión en pausa conservado',
      account_reviewed: 'Accesos a la cuenta revisados',
      data_downloaded: 'Datos descargados',
      user_edited: 'Perfil modificado por un administrador',
      user_email_verified: 'Correo electrónico verificado por un administrador',
      grant_ended_by_replay: (app) => `Acceso retirado a ${app} porque un código se usó dos veces`,
    },
    methods: {
      password: 'Contraseña',
      password_and_code: 'Contraseña y código',
      password_and_recovery_code: 'Contraseña y código de recuperación',
      password_and_passkey: 'Contraseña y llave de acceso',
      passkey: 'Llave de acceso',
      password_on_trusted_device: 'Contraseña en un dispositivo de confianza',
      sign_up: 'Primer inicio de sesión',
      upstream: 'Proveedor de identidad',
      upstream_on_trusted_device: 'Proveedor de identidad en un dispositivo de confianza',
      upstream_two_factors: 'Proveedor de identidad con verificación en dos pasos',
      upstream_and_code: 'Proveedor de identidad y código',
      upstream_and_recovery_code: 'Proveedor de identidad y código de recuperación',
      upstream_and_passkey: 'Proveedor de identidad y llave de acceso',
      email_code: 'Código por correo',
      email_code_and_code: 'Códigos por correo y de una aplicación',
      email_code_and_recovery_code: 'Código por correo y código de recuperación',
      email_code_and_passkey: 'Código por correo y llave de acceso',
    },
    reasons: {
      wrong_password: 'Contraseña incorrecta',
      wrong_second_step: 'Código incorrecto tras la contraseña correcta',
      wrong_password_in_account: 'Contraseña incorrecta al confirmar la identidad',
      wrong_passkey: 'Llave de acceso no aceptada',
      wrong_email_code: 'Código del correo incorrecto',
      unverified_email: 'Correo electrónico sin verificar',
      throttled: 'Demasiados intentos',
      disabled: 'Cuenta inhabilitada',
      expired: 'Acceso finalizado',
      waiting_for_approval: 'Cuenta pendiente de aprobación',
      password_over: 'Contraseña correcta, pero ya no funcionan las contraseñas',
      changed_meanwhile: 'La cuenta cambió al mismo tiempo',
      upstream_identity_taken: 'Vinculada a otra cuenta',
      upstream_other_person: 'No es la cuenta vinculada',
      upstream_not_fresh: 'El proveedor de identidad no pidió iniciar sesión de nuevo',
    },
  },

  device: {
    on: (browser, system) => `${browser} en ${system}`,
    unknownOn: (system) => `Navegador desconocido en ${system}`,
    unknown: 'Navegador desconocido',
  },

  emails: {
    greeting: 'Hola:',
    ignore: 'Si no esperabas este correo, puedes ignorarlo.',
    notYou: 'Si no fuiste tú, restablece tu contraseña de inmediato:',
    notYouEither: 'Si no fuiste tú, elimina todo lo que no reconozcas y cambia tu contraseña:',
    lookAtSecurity: 'Revisar la configuración de seguridad',
    finishSignUp: {
      subject: 'Termina de crear tu cuenta',
      text: 'Abre este enlace para configurar tu cuenta. El enlace solo se puede usar una vez y expira en 24 horas.',
      action: 'Crear cuenta',
    },
    addressHasAccount: {
      subject: 'Ya tienes una cuenta',
      text: 'Alguien, probablemente tú, intentó crear una cuenta con este correo electrónico, pero ya existe una. Puedes iniciar sesión o, desde la misma página, restablecer tu contraseña.',
      action: 'Iniciar sesión',
    },
    resetPassword: {
      subject: 'Restablece tu contraseña',
      text: 'Abre este enlace para elegir una nueva contraseña. El enlace solo se puede usar una vez y expira en 30 minutos.',
      action: 'Restablecer contraseña',
    },
    invitation: {
      subject: 'Recibiste una invitación',
      text: (service) =>
        `Recibiste una invitación para crear una cuenta en ${service}. Abre este enlace para configurar tu cuenta. El enlace solo se puede usar una vez y expira en 7 días.`,
      textFrom: (inviter, service) =>
        `${inviter} te invitó a crear una cuenta en ${service}. Abre este enlace para configurar tu cuenta. El enlace solo se puede usar una vez y expira en 7 días.`,
      action: 'Aceptar invitación',
    },
    noAccount: {
      subject: 'No hay ninguna cuenta con este correo electrónico',
      text: 'Alguien, probablemente tú, intentó restablecer la contraseña de una cuenta con este correo electrónico, pero no existe ninguna. Puede que hayas creado la tuya con otro correo.',
      action: 'Probar con otro correo',
    },
    confirmAddress: {
      subject: 'Confirma tu correo electrónico',
      text: 'Abre este enlace e inicia sesión para usar este correo electrónico en tu cuenta. El enlace solo se puede usar una vez y expira en 24 horas.',
      action: 'Confirmar correo electrónico',
    },
    accountClaimed: {
      subject: 'Se restableció tu cuenta',
      text: 'Has demostrado que este correo electrónico es tuyo. Nadie lo había hecho antes, así que puede que otra persona haya configurado la cuenta. Se quitó todo lo que había en ella: la contraseña, las demás formas de iniciar sesión, los dispositivos y el acceso de las aplicaciones.',
    },
    passwordChanged: {
      subject: 'Se cambió tu contraseña',
      text: 'Se cambió la contraseña de tu cuenta y se cerró la sesión en tus otros dispositivos.',
      action: 'Restablecer contraseña',
    },
    setUpFactor: {
      subject: 'Configura la verificación en dos pasos',
      text: 'Has iniciado sesión con tu contraseña. Tu segundo factor no se pudo trasladar a este servicio, así que vuelve a configurar la verificación en dos pasos para continuar. El enlace funciona durante 30 minutos.',
      action: 'Configurar la verificación',
      notYou:
        'Si no has sido tú, otra persona conoce tu contraseña. No abras el enlace y restablece tu contraseña en la página de inicio de sesión.',
    },
    passwordBreached: {
      subject: 'Cambia pronto tu contraseña',
      text: 'La contraseña de tu cuenta está en una lista de contraseñas procedentes de filtraciones de datos de otros servicios. Esto no significa que alguien haya iniciado sesión en tu cuenta, pero los atacantes prueban las contraseñas de esas listas. Elige una nueva que no uses en ningún otro sitio:',
      action: 'Cambiar contraseña',
      after: 'Si usas la misma contraseña en otros sitios, cámbiala allí también.',
    },
    addressChangeAsked: {
      subject: 'Solicitud para cambiar tu correo electrónico',
      text: (email) =>
        `Alguien solicitó cambiar el correo electrónico de tu cuenta a ${email}. El cambio se hará efectivo cuando se abra el enlace que enviamos a esa dirección.`,
      action: 'Restablecer contraseña',
    },
    addressChanged: {
      subject: 'Se cambió tu correo electrónico',
      text: (email) =>
        `El correo electrónico de tu cuenta ahora es ${email}. Si no hiciste tú este cambio, ponte en contacto con tu administrador.`,
    },
    factorAdded: {
      texts: {
        authenticator_added: 'Se agregó una aplicación de autenticación a tu cuenta.',
        passkey_added: 'Se agregó una llave de acceso a tu cuenta.',
        recovery_codes_replaced:
          'Se crearon nuevos códigos de recuperación para tu cuenta. Los anteriores ya no funcionan.',
      },
      undo: 'Si no fuiste tú, abre este enlace para deshacer el cambio y cerrar la sesión en todos los dispositivos. El enlace solo se puede usar una vez y expira en 7 días.',
      action: 'No fui yo',
      ignore: 'Si fuiste tú, no tienes que hacer nada.',
    },
    secondFactorChanged: {
      subject: 'Se cambió tu configuración de seguridad',
      authenticator_removed: 'Se eliminó la aplicación de autenticación de tu cuenta.',
      passkey_removed: 'Se eliminó una llave de acceso de tu cuenta.',
      all_factors_removed:
        'Se eliminaron de tu cuenta todos los métodos de inicio de sesión, excepto la contraseña. La verificación en dos pasos está desactivada.',
      second_factors_removed:
        'Un administrador eliminó la aplicación de autenticación y las llaves de acceso de tu cuenta.',
    },
    identityLinked: (label) => `Ahora puedes iniciar sesión en tu cuenta con ${label}.`,
    wrongCodes: {
      subject: 'Puede que alguien conozca tu contraseña',
      text: (device, at, ipAddress) =>
        `Alguien escribió tu contraseña y después varios códigos de verificación incorrectos. Último intento: ${device}, el ${at}, dirección IP ${ipAddress}. Esa persona no llegó a iniciar sesión.`,
      action: 'Restablecer contraseña',
    },
    recoveryCodeUsed: {
      subject: 'Se usó un código de recuperación',
      text: (device, at, ipAddress) =>
        `Se usó uno de tus códigos de recuperación en tu cuenta: ${device}, el ${at}, dirección IP ${ipAddress}.`,
    },
    newDevice: {
      subject: 'Nuevo inicio de sesión en tu cuenta',
      text: (device, at, ipAddress) =>
        `Se inició sesión en tu cuenta desde un navegador que no conocíamos: ${device}, el ${at}, dirección IP ${ipAddress}.`,
      action: 'Restablecer contraseña',
    },
    apiKeyCreated: {
      subject: 'Nueva clave de API',
      text: (name, fromCommandLine) =>
        fromCommandLine
          ? `Se creó una clave de API llamada “${name}” desde la línea de comandos.`
          : `Se creó una clave de API llamada “${name}” con tu cuenta.`,
      permissions: {
        read: 'Permite leer todo lo que ven los administradores.',
        write: 'Permite gestionar a las personas sin rol, los grupos no protegidos, las aplicaciones y los webhooks.',
        administrator: 'Permite hacer todo lo que pueden hacer los administradores.',
        people: 'Permite gestionar a las personas sin rol y los grupos no protegidos.',
        applications: 'Permite gestionar las aplicaciones.',
        auditor: 'Permite leer todo lo que ven los administradores, sin cambiar nada.',
      },
      expires: (day) => `Expira el ${day}.`,
      neverExpires: 'No expira nunca.',
      notYou: 'Si no la reconoces, revócala y cambia tu contraseña:',
      action: 'Administrar claves de API',
    },
    adminAccessChanged: {
      given: {
        subject: 'Ya tienes acceso de administrador',
        text: 'Ahora puedes administrar los usuarios y las aplicaciones de este servicio.',
        action: 'Abrir la consola',
      },
      removed: {
        subject: 'Se retiró tu acceso de administrador',
        text: 'Ya no puedes administrar los usuarios ni las aplicaciones de este servicio.',
        action: 'Ir a tu cuenta',
      },
      changed: {
        subject: 'Han cambiado tus roles de administración',
        text: (roles: string) => `Tus roles en este servicio son ahora: ${roles}.`,
        action: 'Abrir la consola',
      },
      roles: { administrator: 'Administrador', people: 'Usuarios', applications: 'Aplicaciones', auditor: 'Auditor' },
      notExpected: 'Si no esperabas este cambio, ponte en contacto con un administrador.',
    },
    recoveryLinkMade: {
      subject: 'Enlace de recuperación de tu cuenta',
      text: 'Un administrador creó un enlace para establecer una nueva contraseña en tu cuenta. El enlace solo se puede usar una vez, expira en 24 horas y cierra la sesión en todos los dispositivos. Si no pediste ayuda, avisa a tu administrador y revisa la actividad de tu cuenta:',
      action: 'Ver tu actividad',
    },
    accountCreated: {
      subject: 'Tu nueva cuenta',
      text: (service) =>
        `Se creó una cuenta para ti en ${service}. Abre este enlace para configurar tu cuenta. El enlace solo se puede usar una vez y expira en 7 días.`,
      textFrom: (inviter, service) =>
        `${inviter} creó una cuenta para ti en ${service}. Abre este enlace para configurar tu cuenta. El enlace solo se puede usar una vez y expira en 7 días.`,
      action: 'Configurar cuenta',
    },
    profileEdited: {
      subject: 'Se modificó tu perfil',
      text: (name) =>
        `Un administrador modificó tu perfil. Tu nombre ahora es ${name}. Si no esperabas este cambio, ponte en contacto con tu administrador.`,
    },
    emailEdited: {
      subject: 'Se cambió tu correo electrónico',
      text: (email) =>
        `Un administrador cambió el correo electrónico de tu cuenta a ${email}. Si no esperabas este cambio, ponte en contacto con tu administrador.`,
    },
    accountDeleted: {
      subject: 'Se eliminó tu cuenta',
      text: 'Tu cuenta se eliminó, tal como pediste. Las aplicaciones ya no tienen acceso a ella.',
    },
  },

  approval: {
    title: 'Pendiente de aprobación',
    text: 'Tu cuenta está pendiente de aprobación.',
    told: 'Te enviaremos un correo cuando puedas iniciar sesión.',
    needed: 'Después, un administrador debe aprobar tu cuenta.',
    fullTitle: 'No se pudo crear tu cuenta',
    full: 'En este momento no se pueden crear cuentas nuevas. Inténtalo más tarde.',
    emails: {
      approved: {
        subject: 'Tu cuenta fue aprobada',
        text: (service) => `Tu cuenta en ${service} fue aprobada. Ya puedes iniciar sesión.`,
        action: 'Iniciar sesión',
      },
      declined: {
        subject: 'Tu cuenta no fue aprobada',
        text: (service) =>
          `Se rechazó tu solicitud de una cuenta en ${service} y se eliminaron los datos que ingresaste. El administrador escribió:`,
      },
      waiting: {
        subject: 'Hay personas pendientes de aprobación',
        text: (count) =>
          plural(count, {
            one: '1 persona espera que un administrador apruebe su cuenta.',
            many: `${number(count)} de personas esperan que un administrador apruebe sus cuentas.`,
            other: `${number(count)} personas esperan que un administrador apruebe sus cuentas.`,
          }),
        action: 'Revisar solicitudes',
      },
    },
  },
  signUpLinks: {
    linkNeeded: 'Necesitas un enlace de registro para crear una cuenta. Pídele uno a tu administrador.',
    otherDomain: 'No puedes crear una cuenta con este correo electrónico. Usa otro o consulta a tu administrador.',
    ended: {
      used_up: 'Este enlace de registro ya no admite más cuentas',
      expired: 'Este enlace de registro expiró',
      revoked: 'Este enlace de registro fue revocado',
    },
    endedText: 'Ya no sirve para crear una cuenta.',
  },

  recovery: {
    paused: {
      title: 'Métodos de inicio de sesión en pausa',
      lead: 'Se agregaron en los 7 días anteriores al restablecimiento de tu contraseña. No sirven para iniciar sesión hasta que decidas si los conservas.',
      names: {
        authenticator: 'Aplicación de autenticación',
        passkey: (name) => `Llave de acceso “${name}”`,
        recovery_codes: 'Códigos de recuperación',
      },
      added: 'Fecha de creación',
      keep: 'Conservar',
      keepNamed: (method) => `Conservar: ${method}`,
      remove: 'Eliminar',
      removeNamed: (method) => `Eliminar: ${method}`,
    },
    review: {
      title: 'Revisa tu cuenta',
      lead: (day) =>
        `Tu contraseña se restableció el ${day} y se cerró la sesión en todos los dispositivos. Revisa qué sigue teniendo acceso a tu cuenta.`,
      methodsTitle: 'Métodos de inicio de sesión en uso',
      noMethods: 'Solo tu contraseña.',
      authenticator: 'Aplicación de autenticación',
      recoveryCodes: (count) =>
        plural(count, {
          one: '1 código de recuperación',
          many: `${number(count)} de códigos de recuperación`,
          other: `${number(count)} códigos de recuperación`,
        }),
      devicesTitle: 'Dispositivos',
      appsTitle: 'Aplicaciones conectadas',
      noApps: 'No hay aplicaciones conectadas.',
      keysTitle: 'Claves de API que creaste',
      removeTitle: '¿Hay algo que no reconoces?',
      removeLead:
        'Elimina todos los métodos de inicio de sesión (excepto la contraseña), todas las aplicaciones conectadas y todas las claves de API que creaste, y cierra la sesión en los demás dispositivos.',
      removesMethods:
        'Iniciarás sesión solo con tu contraseña hasta que vuelvas a configurar la verificación en dos pasos.',
      remove: 'Eliminar los demás accesos',
      doneTitle: '¿Está todo bien?',
      done: 'Terminar revisión',
    },
    undo: {
      title: '¿No fuiste tú?',
      lead: 'Deshaz este cambio y cierra la sesión en todos los dispositivos. Después, restablece tu contraseña, porque puede que otra persona la conozca.',
      submit: 'Deshacer y cerrar todas las sesiones',
      doneTitle: 'Cambio deshecho',
      done: 'Se cerró la sesión en todos los dispositivos. Puede que quien hizo el cambio aún conozca tu contraseña, así que restablécela ahora.',
      reset: 'Restablecer contraseña',
    },
  },

  secondFactor: {
    setUpTitle: 'Configura la verificación en dos pasos',
    setUpLead: 'Necesitas la verificación en dos pasos para iniciar sesión aquí.',
    setUpLeadFor: (app) => `Necesitas la verificación en dos pasos para continuar en ${app}.`,
    withApp: 'Usar una aplicación de autenticación',
    code: 'Código de 6 dígitos de la aplicación',
    password: 'Contraseña actual',
    passwordHint: 'Para confirmar tu identidad.',
    submit: 'Activar y continuar',
    wrongCode:
      'El código no es correcto. Los códigos cambian cada 30 segundos; comprueba que la hora de tu teléfono sea correcta.',
    verifyTitle: 'Verificación en dos pasos',
    verifyLead: 'Escribe el código de tu aplicación de autenticación o un código de recuperación.',
    verifyLeadPasskeyOnly: 'Usa tu llave de acceso o escribe un código de recuperación.',
    signingInAs: (email) => `Vas a iniciar sesión como ${email}.`,
    signedInAs: (email) => `Sesión iniciada como ${email}.`,
    signOut: 'Cerrar sesión',
    codesTitle: 'Guarda tus códigos de recuperación',
    codesLead: `${eachCode} Guárdalos ahora: no podrás volver a verlos.`,
    codesDone: 'Ya guardé mis códigos',
    usedTitle: 'Usaste un código de recuperación',
    usedLeft: (count) =>
      plural(count, { one: 'Te queda 1.', many: `Te quedan ${number(count)}.`, other: `Te quedan ${number(count)}.` }),
    lost: '¿Perdiste tu teléfono?',
    remove: 'Elimínalo',
    continue: 'Continuar',
  },

  passwordless: {
    create: 'Crear una llave de acceso',
    lead: 'Inicia sesión con tu huella digital, tu rostro o el bloqueo de pantalla. No tienes que recordar nada.',
    withPassword: 'Usar una contraseña',
    failed: 'No se pudo crear la llave de acceso. Vuelve a intentarlo.',
    eitherTitle: 'Crea una llave de acceso o elige una contraseña',
    notByEmail:
      'Usas la verificación en dos pasos, así que un enlace por correo no basta para crear una llave de acceso. Inicia sesión con tu llave de acceso o ponte en contacto con tu administrador.',
    createdTitle: 'Llave de acceso creada',
    created:
      'Inicia sesión con tu llave de acceso. Los métodos de inicio de sesión agregados en los últimos 7 días están en pausa hasta que los revises.',
    over: 'Aquí ya no funcionan las contraseñas. Inicia sesión de otra forma o crea una llave de acceso con un enlace por correo.',
    byEmail: 'Crear una llave de acceso por correo',
    byEmailLead:
      'Te enviaremos por correo un enlace para crear una llave de acceso. Solo se puede usar una vez y expira en 30 minutos.',
    ask: 'Aquí las llaves de acceso están reemplazando a las contraseñas. Con una, inicias sesión con tu huella digital, tu rostro o el bloqueo de pantalla.',
    askUntil: (day) => `Tu contraseña funciona hasta el ${day}.`,
    notNow: 'Ahora no',
    remove: 'Eliminar contraseña',
    removeLead: 'Inicia sesión solo con tu llave de acceso. Puedes volver a establecer una contraseña cuando quieras.',
    removeFor: 'Aquí ya no se usan contraseñas. Iniciarás sesión con tu llave de acceso.',
    removeNeeds:
      'Para eliminar tu contraseña, primero agrega una llave de acceso y guarda tus códigos de recuperación o agrega una segunda llave de acceso.',
    none: 'No tienes contraseña. Inicias sesión con una llave de acceso.',
    notUsed: 'Aquí no se usan contraseñas.',
    reviewLead: (day) =>
      `El ${day} creaste una llave de acceso para recuperar tu cuenta y se cerró la sesión en todos los dispositivos. Revisa qué sigue teniendo acceso a tu cuenta.`,
    linkEmail: {
      subject: 'Crea una llave de acceso',
      text: 'Abre este enlace para crear una llave de acceso para tu cuenta. El enlace solo se puede usar una vez y expira en 30 minutos.',
      action: 'Crear llave de acceso',
    },
    removedEmail: {
      subject: 'Se eliminó tu contraseña',
      text: 'Se eliminó la contraseña de tu cuenta. Ahora inicias sesión con una llave de acceso, y se cerró tu sesión en los demás dispositivos.',
    },
    reviewRemoveLead:
      'Elimina todos los métodos de inicio de sesión (excepto tu nueva llave de acceso), todas las aplicaciones conectadas y todas las claves de API que creaste, y cierra la sesión en los demás dispositivos.',
  },

  signOut: {
    title: (service) => `¿Cerrar sesión en ${service}?`,
    askedBy: (app) => `${app} solicitó cerrar tu sesión.`,
    text: 'Se cerrará tu sesión en este navegador. Es posible que siga abierta en las aplicaciones que estés usando.',
    confirm: 'Cerrar sesión',
    stay: 'No cerrar sesión',
    noReturn: {
      hint_invalid: notConfirmed,
      client_mismatch: notConfirmed,
      client_missing: 'No sabemos qué aplicación te trajo hasta aquí, así que no pudimos llevarte de vuelta a ella.',
      unknown_client:
        'La aplicación que te trajo hasta aquí no está registrada en este servicio, así que no te llevamos de vuelta.',
      client_revoked:
        'Un administrador desactivó el inicio de sesión en esta aplicación, así que no te llevamos de vuelta a ella.',
      post_logout_redirect_uri_mismatch:
        'La aplicación nos pidió llevarte a una URL que no tiene registrada. Por tu seguridad, no lo hicimos.',
    },
    noReturnTodo:
      'Para volver, abre la aplicación directamente. Si el problema continúa, ponte en contacto con el desarrollador de la aplicación e indícale la referencia que aparece abajo.',
  },

  upstreams: {
    continueWith: (label) => `Continuar con ${label}`,
    leavingTitle: (label) => `Continuar a ${label}`,
    leavingText: (label) => `Te estamos redirigiendo a ${label}.`,
    failedTitle: (label) => `No se pudo iniciar sesión con ${label}`,
    problems: {
      expired: () => 'Este inicio de sesión expiró o se empezó en otro navegador. Vuelve a empezar.',
      canceled: (label) => `Se canceló el inicio de sesión con ${label}.`,
      unavailable: (label) => `Ahora no se puede usar ${label} para iniciar sesión. Inicia sesión de otra forma.`,
      unreachable: (label) =>
        `${label} no respondió. Vuelve a intentarlo en unos minutos o inicia sesión de otra forma.`,
      invalid: (label) =>
        `${label} envió una respuesta que no se puede aceptar. Vuelve a intentarlo. Si el problema continúa, ponte en contacto con tu administrador.`,
      notFresh: (label) =>
        `${label} no te pidió que vuelvas a iniciar sesión, así que esto no confirma que eres tú. Vuelve a intentarlo.`,
      identityTaken: (label) => `Esta cuenta de ${label} está vinculada a otra cuenta de este servicio.`,
      otherPerson: (label) => `Esta cuenta de ${label} no es la que está vinculada a tu cuenta.`,
      refused: (label) => `No puedes iniciar sesión aquí con esta cuenta de ${label}.`,
    },
    linkTitle: 'Ya tienes una cuenta',
    linkText: (email, label) =>
      `Ya existe una cuenta con ${email}. Primero inicia sesión en ella de otra forma y después vincula ${label} en su página de seguridad.`,
    noAccountTitle: 'No se encontró ninguna cuenta',
    noAccountText: (label) =>
      `Esta cuenta de ${label} no está vinculada a ninguna cuenta de este servicio. Inicia sesión de otra forma y después vincúlala en la página de seguridad de tu cuenta.`,
    otherWay: 'Iniciar sesión de otra forma',
    tryAgain: (label) => `Volver a intentarlo con ${label}`,
  },

  chooseAccount: {
    title: 'Elige una cuenta',
    continueTo: (app) => `para continuar en ${app}`,
    continue: 'Continuar con esta cuenta',
    other: 'Usar otra cuenta',
  },

  noAccess: {
    title: (app) => `No tienes acceso a ${app}`,
    signedInAs: 'Sesión iniciada como',
    text: 'Esta cuenta no está entre las que pueden usar la aplicación. Pide acceso a tu administrador o usa otra cuenta.',
    other: 'Usar otra cuenta',
    back: (app) => `Volver a ${app}`,
  },

  consent: {
    title: (app) => `Iniciar sesión en ${app}`,
    lead: (app) => `${app} recibirá:`,
    changed: (app) => `Los datos que solicita ${app} cambiaron. Revísalos antes de continuar.`,
    signedInAs: 'Sesión iniciada como',
    notYou: '¿No eres tú?',
    returnTo: (host) => `Te redirigiremos a ${host}.`,
    approve: 'Permitir',
    cancel: 'Cancelar',
    later: 'Puedes retirar el acceso en cualquier momento en Aplicaciones conectadas.',
    noPassword: (app) => `${app} nunca ve tu contraseña.`,
  },

  scopes: {
    openid: { heading: 'Tu identidad', phrase: 'tu identidad' },
    profile: { heading: 'Tu perfil', phrase: 'tu perfil' },
    email: { heading: 'Tu correo electrónico', phrase: 'tu correo electrónico' },
  },
  identityHint: 'Un ID único con el que la aplicación te reconoce cuando vuelves',
  accountId: 'ID de la cuenta',
  profileChanged: 'Última actualización',
  emailUnverified: 'sin verificar',
  claims: {
    name: 'Nombre completo',
    given_name: 'Nombre',
    family_name: 'Apellidos',
    preferred_username: 'Nombre de usuario',
    picture: 'Foto',
    locale: 'Idioma',
  },
  furtherClaims: {
    enteredByYou: 'indicado por ti',
    notSet: 'Sin definir',
    none: 'Ninguno',
    yes: 'Sí',
    no: 'No',
    more: (count) => plural(count, { one: 'y 1 más', many: `y ${number(count)} más`, other: `y ${number(count)} más` }),
    less: 'Mostrar menos',
  },

  apps: {
    lead: 'Puedes iniciar sesión en estas aplicaciones con esta cuenta.',
    none: 'No hay aplicaciones conectadas.',
    noneHint: (service) => `Aquí aparecerán las aplicaciones en las que inicies sesión con ${service}.`,
    sees: 'Puede ver',
    since: 'Con acceso desde el',
    lastUsed: 'Último uso',
    remove: 'Retirar acceso',
    removeNamed: (app) => `Retirar acceso: ${app}`,
    removed: 'Acceso retirado.',
    notConnected: 'Esa aplicación ya estaba desconectada.',
    removeHint:
      'Después de retirar el acceso, te pediremos permiso la próxima vez que inicies sesión en la aplicación.',
  },

  yourApps: {
    none: 'Aún no hay aplicaciones',
    noneHint: 'Las aplicaciones que puedes abrir desde aquí aparecen en esta página.',
    more: 'Mostrar más',
    search: 'Buscar aplicaciones',
    find: 'Buscar',
    notFound: 'Ninguna aplicación coincide',
    all: 'Mostrar todas las aplicaciones',
    profileHint: 'Tu nombre, tu foto y tu correo electrónico',
    securityHint: 'Tu contraseña, tus llaves de acceso y la verificación en dos pasos',
  },

  signedOut: {
    elsewhere:
      'Es posible que sigas con la sesión iniciada en el servicio que usaste para entrar. Si compartes este dispositivo, cierra la sesión allí también.',
    title: 'Sesión cerrada',
    text: (service) =>
      `Tu sesión en ${service} se cerró en este navegador. Es posible que siga abierta en las aplicaciones que estés usando.`,
    again: 'Volver a iniciar sesión',
  },

  inactivity: {
    disabled: 'Cuenta inhabilitada por falta de uso',
    email: {
      subject: 'Tu cuenta se inhabilitará pronto',
      text: (at) =>
        `Hace mucho que no usas tu cuenta. Si no inicias sesión ni usas una aplicación antes del ${at}, se inhabilitará.`,
      action: 'Iniciar sesión y conservar la cuenta',
    },
  },

  accessRequests: {
    text: 'Esta cuenta no está entre las que pueden usar la aplicación. Puedes solicitar acceso o usar otra cuenta.',
    note: 'Motivo (opcional)',
    noteHint: (most) => `Máximo ${most} caracteres. Lo podrán leer las personas que deciden sobre tu solicitud.`,
    noteProblem: (most) => `Usa como máximo ${most} caracteres de texto sin formato.`,
    ask: 'Solicitar acceso',
    asked: (day) => `Solicitaste acceso el ${day}. Aún no se ha tomado una decisión.`,
    told: 'Te enviaremos un correo cuando haya una decisión.',
    declined: 'Tu solicitud fue rechazada. Puedes volver a pedir acceso después de un día.',
    tooMany: 'Hoy has enviado demasiadas solicitudes. Inténtalo de nuevo mañana.',
    emails: {
      waiting: {
        subject: 'Solicitudes de acceso',
        text: 'Estas personas solicitan acceso:',
        action: 'Revisar solicitudes',
      },
      allowed: {
        subject: (app) => `Tienes acceso a ${app}`,
        text: (app) => `Tu solicitud fue aprobada. Ya puedes usar ${app}.`,
        action: (app) => `Abrir ${app}`,
      },
      declined: {
        subject: 'Tu solicitud de acceso fue rechazada',
        text: (app) => `Tu solicitud de acceso a ${app} fue rechazada.`,
        reason: 'Motivo indicado:',
      },
    },
  },

  ends: {
    title: 'Fin del acceso',
    own: (at) => `Tu acceso termina el ${at}.`,
    line: (what, at) => `${what}: ${at}`,
    email: {
      subject: 'Tu acceso termina pronto',
      text: 'Este acceso termina pronto. Si todavía lo necesitas, ponte en contacto con tu administrador.',
      account: 'Tu cuenta',
      membership: (name) => `Pertenencia al grupo “${name}”`,
      application: (name) => `Acceso a “${name}”`,
      action: 'Ir a tu cuenta',
    },
    list: {
      subject: 'Accesos que terminan pronto',
      text: 'Estos accesos terminan en los próximos 7 días. Para prolongarlos, establece una fecha nueva.',
      account: (person) => `${person}, cuenta`,
      membership: (person, group) => `${person}, grupo “${group}”`,
      application: (person, app) => `${person}, aplicación “${app}”`,
      groupApplication: (group, app) => `Grupo “${group}”, aplicación “${app}”`,
      more: (count) =>
        plural(count, { one: 'Y uno más.', many: `Y ${number(count)} más.`, other: `Y ${number(count)} más.` }),
      action: 'Ver qué accesos terminan pronto',
    },
  },

  reviews: {
    due: {
      subject: (name) => `Revisión pendiente: ${name}`,
      text: (name, at) =>
        `La revisión de accesos “${name}” vence el ${at}. Decide quién conserva el acceso a tus aplicaciones.`,
      left: (count) =>
        plural(count, {
          one: `Queda 1 decisión por tomar.`,
          many: `Quedan ${number(count)} de decisiones por tomar.`,
          other: `Quedan ${number(count)} decisiones por tomar.`,
        }),
      action: 'Abrir la revisión',
    },
  },
  directories: {
    refused: {
      subject: 'Un directorio intentó modificar a alguien con un rol de administración',
      text: 'Un directorio intentó modificar a usuarios que tienen un rol de administración. Solo los administradores pueden modificarlos, así que no se cambió nada. Número de solicitudes:',
      after: 'Si alguien se ha ido, desactiva su cuenta. Si no lo esperabas, revoca el token SCIM del directorio.',
      action: 'Ver los eventos',
    },
  },

  errors: {
    reference: 'Referencia',
    home: 'Ir a tu cuenta',
    unknownClient: {
      title: 'Este enlace de inicio de sesión no es válido',
      text: 'La aplicación que te trajo hasta aquí no está registrada en este servicio. No se compartió nada con ella.',
      todo: 'Vuelve a la aplicación e inténtalo de nuevo. Si el problema continúa, ponte en contacto con el desarrollador de la aplicación e indícale la referencia que aparece abajo.',
    },
    redirectUri: {
      title: 'Este enlace de inicio de sesión no es válido',
      text: 'La aplicación nos pidió llevarte a una URL que no tiene registrada. Por tu seguridad, no lo hicimos. No se compartió nada.',
      todo: 'Vuelve a la aplicación e inténtalo de nuevo. Si el problema continúa, ponte en contacto con el desarrollador de la aplicación e indícale la referencia que aparece abajo. Con ella, un administrador puede consultar las dos URL.',
    },
    clientRevoked: {
      title: 'Esta aplicación ya no está disponible',
      text: 'Un administrador desactivó el inicio de sesión en esta aplicación. Tu cuenta no se ve afectada.',
      todo: 'Ponte en contacto con el desarrollador de la aplicación o con tu administrador.',
    },
    tooManyApprovals: {
      title: 'Demasiados inicios de sesión',
      text: 'Iniciaste sesión en aplicaciones demasiadas veces seguidas. No se compartió nada.',
      todo: 'Espera unos segundos, vuelve a la aplicación e inténtalo de nuevo. Si el problema continúa, ponte en contacto con el desarrollador de la aplicación.',
    },
    tooManyDownloads: {
      title: 'Demasiadas descargas',
      text: 'Todavía hay otra descarga de tus datos en curso, o demasiadas personas están descargando los suyos en este momento.',
      todo: 'Espera un minuto y vuelve a intentarlo.',
    },
    formExpired: {
      title: 'Esta página expiró',
      text: 'La abriste en otro navegador o antes de iniciar o cerrar sesión, o bien tu navegador bloquea las cookies. No se cambió nada.',
      todo: 'Vuelve atrás y empieza de nuevo. Si el problema continúa, permite las cookies de este sitio.',
    },
    foreignForm: {
      title: 'Esta solicitud viene de otro sitio',
      text: 'Otro sitio intentó enviar este formulario en tu nombre. No se cambió nada.',
      todo: (baseUrl) => `Si fuiste tú, abre ${baseUrl} y vuelve a intentarlo desde allí.`,
    },
    notAdministrator: {
      title: 'Necesitas acceso de administrador',
      text: 'Tu cuenta no puede ver esta página.',
      todo: 'Pide acceso a un administrador o inicia sesión con otra cuenta.',
    },
    otherAccount: {
      title: 'Este enlace es para otra cuenta',
      text: 'La cuenta con la que iniciaste sesión no es la que solicitó este cambio. No se cambió nada.',
      todo: 'Cierra sesión, inicia sesión en la otra cuenta y vuelve a abrir el enlace.',
    },
    badRequest: {
      title: 'No pudimos leer la solicitud',
      text: 'La solicitud no tenía el formato correcto. No se cambió nada.',
      todo: 'Vuelve atrás e inténtalo de nuevo.',
    },
    notFound: {
      title: 'Página no encontrada',
      text: 'Puede que el enlace esté mal escrito o que la página ya no exista.',
      todo: 'Revisa la URL o ve a tu cuenta.',
    },
    methodNotAllowed: {
      title: 'Eso no se puede hacer aquí',
      text: 'Esta URL no acepta ese tipo de solicitud.',
      todo: 'Vuelve atrás e inténtalo de nuevo.',
    },
    tooLarge: {
      title: 'Demasiados datos',
      text: 'La solicitud supera el tamaño que acepta este servicio. No se cambió nada.',
      todo: 'Vuelve atrás e inténtalo de nuevo. Si te trajo hasta aquí una aplicación, ponte en contacto con su desarrollador.',
    },
    busy: {
      title: 'El servicio está saturado',
      text: 'En este momento no podemos responder. No se cambió nada.',
      todo: 'Espera unos segundos y recarga esta página.',
    },
    outcomeUnknown: {
      title: 'No sabemos si funcionó',
      text: 'Perdimos la conexión con nuestra base de datos mientras guardábamos. Puede que tu cambio se haya guardado.',
      todo: 'Espera unos segundos y compruébalo antes de volver a intentarlo.',
    },
    fault: {
      title: 'Algo salió mal',
      text: 'El problema es nuestro. El error quedó registrado.',
      todo: 'Vuelve a intentarlo. Si el problema continúa, ponte en contacto con tu administrador e indícale la referencia que aparece abajo.',
    },
  },
};
