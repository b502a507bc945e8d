/** Keywords of Python, TypeScript, Go, Java, C# and PHP, in lower case: generators change names that equal one. */
export const KEYWORDS: ReadonlySet<string> = new Set(
  `abstract and any array as assert async await base bool boolean break byte callable case catch chan char class clone
   const continue debugger decimal declare def default defer del delegate delete die do double echo elif else elseif empty
   enddeclare endfor endforeach endif endswitch endwhile enum eval event except exit explicit export extends extern
   fallthrough false final finally fixed float fn for foreach from func function global go goto if implements implicit
   import in include instanceof insteadof int interface internal is isset lambda let list lock long map match module
   namespace native new nil none nonlocal not null object operator or out override package params pass print private
   protected public raise range readonly ref require return sbyte sealed select self short sizeof stackalloc static
   strictfp string struct super switch synchronized this throw throws trait transient true try type typeof uint ulong
   unchecked undefined unsafe unset ushort use using var virtual void volatile while with xor yield`.split(
    /\s+/,
  ),
);

/**
 * Types of the languages and of the runtimes that generators add to a client, in lower case. A schema of such a name
 * hides it, or is renamed: `Configuration` made every client that has one useless.
 */
export const RUNTIME_TYPES: ReadonlySet<string> = new Set(
  `action alert apiclient apiconfiguration apierror apiexception apikey apiresponse arraylist attribute baseapi basemodel
   basicauth bigdecimal blob boolean character configuration configurationparameters console context datetime
   datetimeoffset decimal dictionary dict document element environment error event exception field file formdata func
   genericopenapierror guid headers headerselector httpfile httpmethod httpheaders index integer iterable json literal
   localvarapi localdate location math method middleware modelinterface model modelbase navigator nullable number
   objectserializer offsetdatetime option optional parsererror process promise query querystring random range record
   regexp request requestcontext requestopts requirederror response responsecontext rest restclientobject runtime
   security server serverconfiguration servers servervariable set status stream symbol system task temporal thread time
   timespan token tuple union unknown uri url uuid validator version window`.split(/\s+/),
);
