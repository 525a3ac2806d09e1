// French, Spanish, Brazilian Portuguese and Italian. French says "vous", Portuguese "você", the others "tú" and "tu". No
// wording depends on the reader's gender.

import type { Texts } from '../page.ts';

export const fr: Texts = {
  titles: {
    forbidden: 'Ce compte ne permet pas d’ouvrir cette page',
    unknown_host: 'Aucune application n’est configurée ici',
    insecure: 'Ouvrez cette page en https',
    no_cookie: 'Le cookie de connexion est absent',
    sign_in_failed: 'La connexion a échoué',
    canceled: 'La connexion a été annulée',
    unavailable: 'Connexion momentanément indisponible',
    signed_in: 'Connexion effectuée',
    sign_out: 'Se déconnecter ?',
    signed_out: 'Déconnexion effectuée',
    not_found: 'Page introuvable',
  },
  texts: {
    forbidden: 'Demandez l’accès à votre administrateur ou utilisez un autre compte.',
    unknown_host: 'Vérifiez l’URL. Si elle est correcte, contactez votre administrateur.',
    insecure:
      'Cette application n’est accessible que par une connexion sécurisée. Dans la barre d’adresse, remplacez `http://` par `https://`.',
    no_cookie:
      'Votre navigateur n’a pas renvoyé le cookie reçu au début de la connexion. Autorisez les cookies pour ce site et réessayez, ou ouvrez le lien dans le navigateur où vous avez commencé.',
    sign_in_failed:
      'Cette connexion a pris trop de temps, était déjà terminée ou a échoué. Réessayez. Si le problème persiste, contactez votre administrateur.',
    canceled: 'Pour ouvrir cette application, vous devez vous connecter.',
    unavailable: 'Le service de connexion ne répond pas. Attendez quelques secondes, puis réessayez.',
    sign_out:
      'Votre session sera fermée dans ce navigateur. Elle peut rester active dans les applications déjà ouvertes.',
    signed_out: 'Connectez-vous pour rouvrir cette application.',
    not_found: 'Le lien contient peut-être une erreur, ou la page n’existe plus.',
  },
  forAdministrators: {
    unknown_host: 'Pour les administrateurs : ajoutez cet hôte au fichier de configuration de `latchkey gate`.',
    insecure:
      'Pour les administrateurs : si l’URL commence déjà par `https://`, le proxy doit envoyer `X-Forwarded-Proto: https`.',
  },
  signedInAs: 'Compte utilisé',
  actions: {
    signIn: 'Se connecter',
    signOut: 'Se déconnecter',
    otherAccount: 'Utiliser un autre compte',
    tryAgain: 'Réessayer',
    continue: 'Continuer',
    cancel: 'Annuler',
  },
};

export const es: Texts = {
  titles: {
    forbidden: 'Esta cuenta no puede abrir esta página',
    unknown_host: 'Aquí no hay ninguna aplicación configurada',
    insecure: 'Abre esta página con https',
    no_cookie: 'Falta la cookie de inicio de sesión',
    sign_in_failed: 'No se pudo iniciar sesión',
    canceled: 'Se canceló el inicio de sesión',
    unavailable: 'Ahora no se puede iniciar sesión',
    signed_in: 'Sesión iniciada',
    sign_out: '¿Cerrar sesión?',
    signed_out: 'Sesión cerrada',
    not_found: 'Página no encontrada',
  },
  texts: {
    forbidden: 'Pide acceso a tu administrador o usa otra cuenta.',
    unknown_host: 'Revisa la URL. Si es correcta, ponte en contacto con tu administrador.',
    insecure:
      'Esta aplicación solo está disponible con una conexión segura. En la barra de direcciones, cambia `http://` por `https://`.',
    no_cookie:
      'Tu navegador no devolvió la cookie que recibió al empezar a iniciar sesión. Permite las cookies de este sitio y vuelve a intentarlo, o abre el enlace en el navegador en el que empezaste.',
    sign_in_failed:
      'Este inicio de sesión tardó demasiado, ya se había completado o falló. Vuelve a intentarlo. Si el problema continúa, ponte en contacto con tu administrador.',
    canceled: 'Para abrir esta aplicación, tienes que iniciar sesión.',
    unavailable: 'El servicio de inicio de sesión no responde. Espera unos segundos y vuelve a intentarlo.',
    sign_out:
      'Se cerrará tu sesión en este navegador. Es posible que siga abierta en las aplicaciones que estés usando.',
    signed_out: 'Inicia sesión para volver a abrir esta aplicación.',
    not_found: 'Puede que el enlace esté mal escrito o que la página ya no exista.',
  },
  forAdministrators: {
    unknown_host: 'Para administradores: añade este host al archivo de configuración de `latchkey gate`.',
    insecure:
      'Para administradores: si la URL ya empieza por `https://`, el proxy debe enviar `X-Forwarded-Proto: https`.',
  },
  signedInAs: 'Sesión iniciada como',
  actions: {
    signIn: 'Iniciar sesión',
    signOut: 'Cerrar sesión',
    otherAccount: 'Usar otra cuenta',
    tryAgain: 'Volver a intentarlo',
    continue: 'Continuar',
    cancel: 'Cancelar',
  },
};

export const ptBR: Texts = {
  titles: {
    forbidden: 'Esta conta não pode abrir esta página',
    unknown_host: 'Nenhum app está configurado aqui',
    insecure: 'Abra esta página com https',
    no_cookie: 'O cookie de login não foi encontrado',
    sign_in_failed: 'Não foi possível fazer login',
    canceled: 'O login foi cancelado',
    unavailable: 'No momento, não é possível fazer login',
    signed_in: 'Você fez login',
    sign_out: 'Sair da conta?',
    signed_out: 'Você saiu da conta',
    not_found: 'Página não encontrada',
  },
  texts: {
    forbidden: 'Peça acesso ao administrador ou use outra conta.',
    unknown_host: 'Confira o URL. Se ele estiver certo, fale com o administrador.',
    insecure:
      'Este app só está disponível por uma conexão segura. Na barra de endereço, troque `http://` por `https://`.',
    no_cookie:
      'Seu navegador não enviou de volta o cookie que recebeu no início do login. Permita cookies neste site e tente novamente ou abra o link no navegador em que você começou.',
    sign_in_failed:
      'Este login demorou demais, já tinha sido concluído ou falhou. Tente novamente. Se o problema persistir, fale com o administrador.',
    canceled: 'Para abrir este app, é preciso fazer login.',
    unavailable: 'O serviço de login não está respondendo. Aguarde alguns segundos e tente novamente.',
    sign_out: 'Você vai sair da conta neste navegador. Ela pode continuar conectada nos apps que estiverem abertos.',
    signed_out: 'Faça login para abrir este app de novo.',
    not_found: 'Talvez o link tenha um erro de digitação ou a página não exista mais.',
  },
  forAdministrators: {
    unknown_host: 'Para administradores: adicione este host ao arquivo de configuração do `latchkey gate`.',
    insecure:
      'Para administradores: se o URL já começa com `https://`, o proxy precisa enviar `X-Forwarded-Proto: https`.',
  },
  signedInAs: 'Você fez login como',
  actions: {
    signIn: 'Fazer login',
    signOut: 'Sair',
    otherAccount: 'Usar outra conta',
    tryAgain: 'Tentar novamente',
    continue: 'Continuar',
    cancel: 'Cancelar',
  },
};

export const it: Texts = {
  titles: {
    forbidden: 'Questo account non può aprire questa pagina',
    unknown_host: 'Qui non è configurata nessuna app',
    insecure: 'Apri questa pagina con https',
    no_cookie: 'Manca il cookie di accesso',
    sign_in_failed: 'Accesso non riuscito',
    canceled: 'L’accesso è stato annullato',
    unavailable: 'Al momento non è possibile accedere',
    signed_in: 'Accesso eseguito',
    sign_out: 'Vuoi uscire?',
    signed_out: 'Disconnessione completata',
    not_found: 'Pagina non trovata',
  },
  texts: {
    forbidden: 'Chiedi l’accesso all’amministratore o usa un altro account.',
    unknown_host: 'Controlla l’URL. Se è corretto, contatta l’amministratore.',
    insecure:
      'Questa app è disponibile solo con una connessione sicura. Nella barra degli indirizzi, sostituisci `http://` con `https://`.',
    no_cookie:
      'Il tuo browser non ha rimandato il cookie ricevuto all’inizio dell’accesso. Consenti i cookie per questo sito e riprova, oppure apri il link nel browser in cui hai iniziato.',
    sign_in_failed:
      'Questo accesso ha richiesto troppo tempo, era già concluso o non è riuscito. Riprova. Se il problema persiste, contatta l’amministratore.',
    canceled: 'Per aprire questa app devi accedere.',
    unavailable: 'Il servizio di accesso non risponde. Attendi qualche secondo, poi riprova.',
    sign_out: 'Uscirai dall’account in questo browser. L’accesso potrebbe restare attivo nelle app ancora aperte.',
    signed_out: 'Accedi per riaprire questa app.',
    not_found: 'Il link potrebbe contenere un errore oppure la pagina non esiste più.',
  },
  forAdministrators: {
    unknown_host: 'Per gli amministratori: aggiungi questo host al file di configurazione di `latchkey gate`.',
    insecure:
      'Per gli amministratori: se l’URL inizia già con `https://`, il proxy deve inviare `X-Forwarded-Proto: https`.',
  },
  signedInAs: 'Accesso eseguito come',
  actions: {
    signIn: 'Accedi',
    signOut: 'Esci',
    otherAccount: 'Usa un altro account',
    tryAgain: 'Riprova',
    continue: 'Continua',
    cancel: 'Annulla',
  },
};
